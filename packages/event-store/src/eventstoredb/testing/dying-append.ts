import gossipService from '@eventstore/db-client/generated/gossip_grpc_pb.js'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import { credentials } from '@grpc/grpc-js'

/** A process that begins an append of several events, sends the first and dies. Argument: the server's address. */
const [address = ''] = process.argv.slice(2)
const client = new streamsService.StreamsClient(address, credentials.createInsecure())
const call = client.append(() => undefined)

const stream = new shared.StreamIdentifier()
stream.setStreamName(Buffer.from('dying-1'))
const options = new streams.AppendReq.Options()
options.setStreamIdentifier(stream)
options.setNoStream(new shared.Empty())
const header = new streams.AppendReq()
header.setOptions(options)

const id = new shared.UUID()
id.setString('b1b2c3d4-0000-4000-8000-000000000001')
const proposed = new streams.AppendReq.ProposedMessage()
proposed.setId(id)
proposed.getMetadataMap().set('type', 'First').set('content-type', 'application/json')
proposed.setData(Buffer.from('{}'))
const first = new streams.AppendReq()
first.setProposedMessage(proposed)

call.write(header)
call.write(first, () => {
  // Both share a connection, so an answer after the event shows that it has arrived.
  const gossip = new gossipService.GossipClient(address, credentials.createInsecure())
  gossip.read(new shared.Empty(), () => process.stdout.write('sent\n'))
})
