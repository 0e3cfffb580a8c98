import gossipService from '@eventstore/db-client/generated/gossip_grpc_pb.js'
import featuresService from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js'
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js'
import { Server, ServerCredentials, type sendUnaryData } from '@grpc/grpc-js'
import { openDatabase } from '../../sqlite/database.ts'
import { appendHandler, type Write } from './append.ts'
import { batchAppendHandler } from './batch-append.ts'
import { clusterInfo, type Member, supportedMethods } from './cluster.ts'
import { unavailable } from './errors.ts'
import { judgeAppend } from './judge-append.ts'
import { peerLog } from './log.ts'
import type { Conduct, Misbehaviour } from './misbehaviour.ts'
import { type NextAppend, readHandler } from './read.ts'

export type PeerOptions = {
  /** A SQLite file, or ':memory:'. */
  readonly path: string
  /** On 127.0.0.1; 0 picks a free one. */
  readonly port: number
  /** Unix milliseconds: the server's clock. */
  readonly clock?: () => number
  /** The members in gossip; by default the peer alone, as leader. */
  readonly members?: () => ReadonlyArray<Member>
  /** The required credentials; by default none. The client presents credentials only over TLS. */
  readonly credentials?: { readonly username: string; readonly password: string }
  /** PEM texts; without them the peer uses plain text. */
  readonly tls?: { readonly key: string; readonly certificate: string }
}

export type Peer = {
  readonly port: number
  /** `esdb://127.0.0.1:port?tls=false` */
  readonly connectionString: string
  readonly misbehave: (misbehaviour: Misbehaviour) => void
  /** The number of append requests that have arrived in full. */
  readonly appendsSeen: () => number
  /** The number of events sent to readers and subscribers. */
  readonly eventsSent: () => number
  /** Ends every call and closes the file. */
  readonly stop: () => Promise<void>
}

const serverCredentials = (tls: PeerOptions['tls']): ServerCredentials =>
  tls === undefined
    ? ServerCredentials.createInsecure()
    : ServerCredentials.createSsl(null, [
        { private_key: Buffer.from(tls.key), cert_chain: Buffer.from(tls.certificate) },
      ])

const listen = (server: Server, port: number, tls: PeerOptions['tls']): Promise<number> =>
  new Promise((resolve, reject) => {
    server.bindAsync(`127.0.0.1:${port}`, serverCredentials(tls), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    )
  })

/**
 * A server that speaks EventStoreDB's protocol to the unmodified client over a real socket: Streams (Read, Append,
 * BatchAppend), ServerFeatures and Gossip, with the client's own service definitions. It stores events in SQLite and
 * misbehaves on request. For tests: no users, projections or deletion.
 */
export const startPeer = async (options: PeerOptions): Promise<Peer> => {
  const sql = openDatabase(options.path, { durability: 'relaxedLosesCommitsOnPowerLoss' })
  const log = peerLog(sql)
  const clock = options.clock ?? Date.now
  let misbehaviour: Misbehaviour = { _tag: 'none' }
  let [appendsSeen, eventsSent] = [0, 0]
  const { username, password } = options.credentials ?? {}
  const login = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const conduct: Conduct = {
    current: () => misbehaviour,
    allows: (metadata) => options.credentials === undefined || metadata.get('authorization').includes(login),
    sawAppend: () => {
      appendsSeen += 1
    },
    sentEvent: () => {
      eventsSent += 1
    },
  }

  const sleepers = new Set<() => void>()
  const wake = (): void => {
    for (const rouse of [...sleepers]) rouse()
  }
  const write: Write = (stream, expected, events) => {
    const outcome = sql.transaction(() => judgeAppend(log, stream, expected, events, clock()))
    wake()
    return outcome
  }
  const next: NextAppend = (call) =>
    new Promise((resolve) => {
      const rouse = (): void => {
        sleepers.delete(rouse)
        call.off('cancelled', rouse)
        resolve()
      }
      sleepers.add(rouse)
      call.on('cancelled', rouse)
      if (call.cancelled) rouse()
    })

  const server = new Server()
  server.addService(streamsService.StreamsService, {
    read: readHandler(log, conduct, next),
    append: appendHandler(write, conduct),
    batchAppend: batchAppendHandler(write, conduct),
  })
  const alone = (): ReadonlyArray<Member> => [{ host: '127.0.0.1', port, isLeader: true }]
  const answering =
    <A>(answer: () => A) =>
    (_: unknown, callback: sendUnaryData<A>): void => {
      if (misbehaviour._tag === 'silent') return
      if (misbehaviour._tag === 'unavailable') callback(unavailable)
      else callback(null, answer())
    }
  server.addService(gossipService.GossipService, {
    read: answering(() => clusterInfo((options.members ?? alone)())),
  })
  server.addService(featuresService.ServerFeaturesService, { getSupportedMethods: answering(supportedMethods) })

  const port = await listen(server, options.port, options.tls)
  const tls = options.tls === undefined ? '?tls=false' : ''
  return {
    port,
    connectionString: `esdb://127.0.0.1:${port}${tls}`,
    misbehave: (wanted) => {
      misbehaviour = wanted
      wake()
    },
    appendsSeen: () => appendsSeen,
    eventsSent: () => eventsSent,
    stop: async () => {
      server.forceShutdown()
      // Pending calls learn of it in this turn; none may find the file closed.
      await new Promise((resolve) => setImmediate(resolve))
      sql.close()
    },
  }
}
