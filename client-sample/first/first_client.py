"""The first client of client-sample/README.md, in Python: steers one walker and tells where it is."""
import socket
import sys

from google.protobuf.internal.encoder import _VarintBytes
from steerd.v1 import steerd_pb2 as pb

host, port = (sys.argv[1] if len(sys.argv) > 1 else '127.0.0.1:7400').rsplit(':', 1)
stream = socket.create_connection((host, int(port))).makefile('rwb')


def send(**body):
    message = pb.ClientMessage(**body)
    stream.write(_VarintBytes(message.ByteSize()) + message.SerializeToString())
    stream.flush()


def read():
    size = shift = 0
    while (byte := stream.read(1)[0]) & 0x80:
        size, shift = size | (byte & 0x7f) << shift, shift + 7
    return pb.ServerMessage.FromString(stream.read(size | byte << shift))


send(hello=pb.Hello(protocol_version=1, client_name='first', role=pb.ROLE_CONTROLLER))
walker = pb.AgentSpec(position=pb.Vec2(x=-6), point=pb.Vec2(x=6), tag=7)
send(request_id=1, spawn_agents=pb.SpawnAgents(agents=[walker], owned=True))
send(request_id=2, subscribe=pb.Subscribe())
snapshots = 0
while snapshots < 15:
    snapshot = read().snapshot  # empty when the message is something else
    snapshots += snapshot.last
    for agent in snapshot.agents:
        if agent.tag == 7:  # ours; the rest of the crowd is there too
            print(f'agent {agent.id} is at {agent.position.x:.2f}, {agent.position.y:.2f} m')
