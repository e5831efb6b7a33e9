#!/usr/bin/python3
"""Every message, field, enum, enum value and oneof of the wire contract has a comment.

usage: proto_comments.py PROTO_DIRECTORY FILE   (protoc in PATH)
"""

import subprocess
import sys
import tempfile

from google.protobuf import descriptor_pb2


def names(file):
    """Yields (path, name) for all that has to be commented; a path is where SourceCodeInfo says it is."""

    def of_enum(enum, path, prefix):
        yield path, prefix + enum.name
        for i, value in enumerate(enum.value):
            yield path + (2, i), f"{prefix}{enum.name}.{value.name}"

    def of_message(message, path, prefix):
        name = prefix + message.name
        yield path, name
        for i, field in enumerate(message.field):
            yield path + (2, i), f"{name}.{field.name}"
        for i, oneof in enumerate(message.oneof_decl):
            if not oneof.name.startswith("_"):  # made by protoc for an `optional` field
                yield path + (8, i), f"{name}.{oneof.name}"
        for i, nested in enumerate(message.nested_type):
            yield from of_message(nested, path + (3, i), name + ".")
        for i, enum in enumerate(message.enum_type):
            yield from of_enum(enum, path + (4, i), name + ".")

    for i, message in enumerate(file.message_type):
        yield from of_message(message, (4, i), "")
    for i, enum in enumerate(file.enum_type):
        yield from of_enum(enum, (5, i), "")


def main():
    directory, name = sys.argv[1], sys.argv[2]
    with tempfile.NamedTemporaryFile() as out:
        subprocess.run(
            ["protoc", f"--proto_path={directory}", "--include_source_info", f"--descriptor_set_out={out.name}", name],
            check=True,
        )
        files = descriptor_pb2.FileDescriptorSet.FromString(out.read())
    file = files.file[0]
    commented = {
        tuple(location.path)
        for location in file.source_code_info.location
        if location.leading_comments.strip() or location.trailing_comments.strip()
    }
    every = list(names(file))
    bare = [name for path, name in every if path not in commented]
    for name in bare:
        print(f"{name} has no comment")
    print(f"{len(every)} names, {len(bare)} without a comment")
    return 0 if every and not bare else 1


sys.exit(main())
