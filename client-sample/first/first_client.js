// The first client of client-sample/README.md, in JavaScript (node, npm install protobufjs): steers one walker.
const net = require('net');
const protobuf = require('protobufjs');

const root = protobuf.loadSync('proto/steerd/v1/steerd.proto');
const ClientMessage = root.lookupType('steerd.v1.ClientMessage');
const ServerMessage = root.lookupType('steerd.v1.ServerMessage');
const [host, port] = (process.argv[2] || '127.0.0.1:7400').split(':');
const server = net.connect(Number(port), host);
const send = (body) => server.write(ClientMessage.encodeDelimited(ClientMessage.fromObject(body)).finish());

send({ hello: { protocolVersion: 1, clientName: 'first', role: 'ROLE_CONTROLLER' } });
const walker = { position: { x: -6 }, point: { x: 6 }, tag: 7 };
send({ requestId: 1, spawnAgents: { agents: [walker], owned: true } });
send({ requestId: 2, subscribe: {} });
let buffer = Buffer.alloc(0);
let snapshots = 0;
server.on('data', (data) => {
  buffer = Buffer.concat([buffer, data]);
  while (buffer.length >= 5) { // the longest length; a message shorter than that waits for the next
    const reader = protobuf.Reader.create(buffer);
    const end = reader.uint32() + reader.pos;
    if (buffer.length < end) break;
    const message = ServerMessage.decode(buffer.subarray(reader.pos, end));
    buffer = buffer.subarray(end);
    if (!message.snapshot) continue;
    for (const agent of message.snapshot.agents) {
      if (Number(agent.tag) !== 7) continue; // not ours, but of the crowd
      console.log(`agent ${agent.id} is at ${agent.position.x.toFixed(2)}, ${agent.position.y.toFixed(2)} m`);
    }
    snapshots += message.snapshot.last ? 1 : 0;
    if (snapshots === 15) server.end();
  }
});
