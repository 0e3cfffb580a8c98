/**
 * A platform whose log is elsewhere than its read models: here in another file, on a server in earnest. It writes, waits
 * for its read models, proves the hashes of the log by its own means, and rebuilds a read model.
 *
 *     node remote-log.ts <directory>
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  type CommandContext,
  createBilling,
  masterKeyFile,
  openRemoteLog,
  quoter,
  remoteLog,
  sqliteVault,
} from '@quittance/billing'
import { AcceptedAsset, asText, stroops, unixMs } from '@quittance/domain'
import { type Head, noEvents, sealEvent } from '@quittance/event-store'
import { openDatabase, sqliteEventStore } from '@quittance/event-store/sqlite'
import { rpcGateway, sandboxRates } from '@quittance/ledger'
import { readModels, sqliteReading } from '@quittance/projections'
import { rebuild } from '@quittance/projections/rebuild'
import { listen, openSandbox } from '@quittance/sandbox'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'

const done = async <L, A>(task: TaskEither<L, A>): Promise<A> => {
  const outcome = await task()
  if (E.isLeft(outcome)) throw new Error(JSON.stringify(outcome.left))
  return outcome.right
}
const decoded = <A>(outcome: E.Either<unknown, A>): A => {
  if (E.isLeft(outcome)) throw new Error('the example is malformed')
  return outcome.right
}
const [, , directory = 'data-remote-log'] = process.argv
mkdirSync(directory, { recursive: true })

const sandbox = openSandbox({
  database: openDatabase(join(directory, 'sandbox.db'), { durability: 'full' }),
  wallClock: Date.now,
})
const node = await listen(sandbox)
const testnet = {
  gateway: rpcGateway({ url: node.url, networkPassphrase: sandbox.networkPassphrase, timeoutMs: 5_000 }),
  ...quoter(sandboxRates),
  paths: null,
  assets: sandbox
    .assets()
    .map(({ assetId }) => decoded(AcceptedAsset.decode({ assetId, description: 'an asset', pegged: false }))),
  provision: null,
  setUpBalance: stroops(0n),
  isInBackups: true,
  friendbot: null,
  mandateContract: null,
}

const clock = { now: () => unixMs(Date.now()) }
const log = sqliteEventStore({ path: join(directory, 'server.db'), clock: clock.now, projections: [] })
const path = join(directory, 'read-models.db')
const remote = await done(openRemoteLog({ log, path }))
const vaultFile = openDatabase(join(directory, 'vault.db'), { durability: 'full', secureDelete: true })
const masterKey = decoded(masterKeyFile(join(directory, 'master.key')))
const vault = sqliteVault(vaultFile, masterKey, remote.projector.applied() === 0)
const services = remoteLog(remote, {
  vault,
  clock,
  networks: { testnet, mainnet: null },
  publicUrl: () => 'https://pay.example.com',
})
const billing = createBilling(services)

const commandId = billing.freshId()
const at = clock.now()
const ids = { commandId, correlationId: commandId, causationId: null }
const command: CommandContext = { merchantId: '', environment: 'testnet', ...ids, actor: 'me', at }
const { merchantId } = await done(billing.merchants.create(command, asText('Ada & Co')))
await done(services.caughtUp.withLog)
console.log('listed  ', (await readModels(sqliteReading(remote.rows)).merchants.withId(merchantId))?.id === merchantId)

// Anybody can prove the chains of hashes: each event is sealed again behind the one before it in its stream.
const heads = new Map<string, Head>()
for await (const { stream, metadata, revision, ...event } of log.readAll(0n)) {
  const { hash, previousHash: _, ...context } = metadata
  const sealed = sealEvent(heads.get(stream) ?? noEvents, stream, { ...event, context })
  if (sealed.hash !== hash) throw new Error(`${stream} was changed at ${revision}`)
  heads.set(stream, { revision, hash })
}
console.log('proven  ', heads.size > 0)

await remote.close()
const rebuilding = { path, log, models: ['merchants'], compareOnly: false, onProgress: () => {} }
for (const { model, rows, differing } of await done(rebuild(rebuilding)))
  console.log('rebuilt ', model, rows, differing)
log.close()
vaultFile.close()
await node.close()
sandbox.stop()
