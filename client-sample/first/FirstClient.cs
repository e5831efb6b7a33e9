// The first client of client-sample/README.md, in C# (Google.Protobuf, Grpc.Tools for the generated classes).
using System;
using System.Net.Sockets;
using Google.Protobuf;
using Steerd.V1;

using var server = new TcpClient("127.0.0.1", 7400) { NoDelay = true };
var stream = server.GetStream();
void Send(ClientMessage message) => message.WriteDelimitedTo(stream);

Send(new ClientMessage { Hello = new Hello { ProtocolVersion = 1, ClientName = "first", Role = Role.Controller } });
var walker = new AgentSpec { Position = new Vec2 { X = -6 }, Point = new Vec2 { X = 6 }, Tag = 7 };
Send(new ClientMessage { RequestId = 1, SpawnAgents = new SpawnAgents { Agents = { walker }, Owned = true } });
Send(new ClientMessage { RequestId = 2, Subscribe = new Subscribe() });
for (var snapshots = 0; snapshots < 15;)
{
    var message = ServerMessage.Parser.ParseDelimitedFrom(stream); // waits for a whole one
    if (message.BodyCase != ServerMessage.BodyOneofCase.Snapshot) continue;
    snapshots += message.Snapshot.Last ? 1 : 0;
    foreach (var agent in message.Snapshot.Agents)
        if (agent.Tag == 7) // ours; the rest of the crowd is there too
            Console.WriteLine($"agent {agent.Id} is at {agent.Position.X:F2}, {agent.Position.Y:F2} m");
}
