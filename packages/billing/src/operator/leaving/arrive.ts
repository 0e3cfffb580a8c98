import {
  asText,
  Freezes,
  isFrozen,
  KeyedHash,
  LedgerSequence,
  Merchant,
  type MerchantEvent,
  type NewEvent,
  type Text,
  type UnixMs,
} from '@quittance/domain'
import type { SqlDatabase } from '@quittance/event-store'
import { type Graft, graftStreams } from '@quittance/event-store/sqlite'
import type { LedgerUnreachable, LedgerUnreadable, RangePruned } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { deploymentTime } from '../../kernel/clock.ts'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { derivedCommandId, eventId } from '../../kernel/derive.ts'
import { type StoreUnavailable, stateOf } from '../../kernel/load.ts'
import { platform } from '../../kernel/platform.ts'
import { type NetworkNotConfigured, networkOf, type Services } from '../../services/services.ts'
import { OtherKeyKept } from '../../stores/vault/vault.ts'
import { type Checked, type CheckFailure, check, eventOf, linesOf } from './checked.ts'
import { importPurpose } from './leave.ts'
import type { Beginning, Line, RowLine } from './lines.ts'
import { othersHere } from './others-here.ts'
import { AlteredFile, destinationOf, openSealed, type SealedFile } from './sealed-file.ts'

/** `digest`: that of the export which is meant, as its exporter said it by other means; null: whatever the file holds. */
export type ArriveRequest = { readonly path: string; readonly digest: string | null; readonly by: Text }

/** Why a merchant cannot be taken in from another installation. */
export type ArriveFailure =
  | CheckFailure
  | StoreUnavailable
  | NetworkNotConfigured
  | LedgerUnreachable
  | LedgerUnreadable
  /** No node holds the ledgers that the source has not ingested any more: money in them would be missed. */
  | RangePruned
  | { readonly _tag: 'LogNotInFile' }
  | { readonly _tag: 'OtherExport'; readonly digest: string }
  | { readonly _tag: 'NetworkDiffers'; readonly networkPassphrase: string }
  /** This export was imported before. */
  | { readonly _tag: 'AlreadyArrived'; readonly merchantId: string }
  | { readonly _tag: 'StreamExists'; readonly stream: string }
  | { readonly _tag: 'KeyTaken'; readonly cause: string }

/** What an export holds. */
export type Exported = Pick<Checked, 'beginning' | 'end'>

/** `isNew`: whether the merchant came by this call. */
export type Arrived = Exported & { readonly isNew: boolean }

export type ArriveServices = Pick<
  Services,
  'store' | 'vault' | 'networks' | 'cursors' | 'clock' | 'logFile' | 'freezing' | 'readModels'
>

/** The name by which others export to this installation, whose secret is in its vault. */
export const destinationHere = async ({ vault }: Pick<Services, 'vault'>): Promise<string> =>
  destinationOf(await vault.carriage.own(importPurpose)).name

/** Reads a whole export without importing it. */
export const inspect = async (
  services: Pick<Services, 'vault' | 'readModels'>,
  path: string,
): Promise<E.Either<CheckFailure, Exported>> => {
  const file = openSealed(path, await services.vault.carriage.own(importPurpose))
  return E.isLeft(file) ? file : await check(file.right, othersHere(services))
}

/**
 * Takes a merchant in that has left another installation, in one transaction: its streams, what is in no log, its arrival, a
 * freeze, and the cursor of ingestion, which goes back to where the source stopped. Before that, once it is proven that all of it
 * can be taken in, the keys are placed in the vault. Nothing is sold, charged or paid until the freeze ends. No other process may have the installation open. After a
 * crash, the same call goes on.
 */
export const arrive = async (
  services: ArriveServices,
  { path, digest, by }: ArriveRequest,
): Promise<E.Either<ArriveFailure, Arrived>> => {
  const { store, vault, logFile, clock } = services
  if (logFile === null) return E.left({ _tag: 'LogNotInFile' })
  const file = openSealed(path, await vault.carriage.own(importPurpose))
  if (E.isLeft(file)) return file
  const checked = await check(file.right, othersHere(services))
  if (E.isLeft(checked)) return checked
  const { beginning, end, streams } = checked.right
  if (digest !== null && digest !== end.digest) return E.left({ _tag: 'OtherExport', digest: end.digest })
  const { merchantId } = beginning
  const known = await stateOf(store)(Merchant, merchantId)
  if (E.isLeft(known)) return known
  // Freezes that are kept beside the log are in it before another one is added.
  const frozen = await services.freezing.now()
  if (E.isLeft(frozen)) return E.left({ _tag: 'StoreUnavailable', cause: frozen.left })
  const { state } = known.right
  if (state.status !== 'absent') {
    // Interrupted before new keys were made.
    const isSame = state.arrived?.digest === end.digest && isFrozen(frozen.right, 'everything', merchantId)
    return isSame ? E.right({ beginning, end, isNew: false }) : E.left({ _tag: 'AlreadyArrived', merchantId })
  }
  const followed = await canBeFollowed(services, beginning)
  if (E.isLeft(followed)) return followed
  const taken = graftStreams(logFile, ({ holds }) => [...streams].find(holds))
  if (taken !== undefined) return E.left({ _tag: 'StreamExists', stream: taken })
  const at = deploymentTime(clock)
  const take = () =>
    graftStreams(logFile, (graft) => {
      addLines(graft, logFile, file.right)
      recordArrival(graft, checked.right, by, at)
      turnBack(logFile, beginning)
    })
  try {
    rehearse(logFile, take)
    // Once all else is proven, and before it is there: no merchant is here without its keys.
    await placeKeys(services, file.right)
    take()
  } catch (cause) {
    if (cause instanceof AlteredFile) return E.left({ _tag: 'FileAltered' })
    if (cause instanceof OtherKeyKept) return E.left({ _tag: 'KeyTaken', cause: cause.message })
    throw cause
  }
  return E.right({ beginning, end, isNew: true })
}

class Rehearsed extends Error {
  override readonly name = 'Rehearsed'
}

/** Runs work in a transaction, and undoes it. Throws what it throws. */
const rehearse = (sql: SqlDatabase, work: () => void): void => {
  try {
    sql.transaction(() => {
      work()
      throw new Rehearsed()
    })
  } catch (cause) {
    if (!(cause instanceof Rehearsed)) throw cause
  }
}

/** Whether the networks are the same, and a node holds all ledgers from where the source stopped. */
const canBeFollowed = async (
  services: ArriveServices,
  { places }: Beginning,
): Promise<E.Either<ArriveFailure, void>> => {
  for (const { environment, networkPassphrase, ledger } of places) {
    const network = networkOf(services, environment)
    if (E.isLeft(network)) return network
    const { gateway } = network.right
    if (gateway.networkPassphrase !== networkPassphrase) return E.left({ _tag: 'NetworkDiffers', networkPassphrase })
    const latest = await gateway.latestLedger()()
    if (E.isLeft(latest)) return latest
    if (latest.right.sequence <= ledger) continue
    const next = await gateway.readLedgers(decodeOrThrow(LedgerSequence, ledger + 1), 1, null)()
    if (E.isLeft(next)) return next
  }
  return E.right(undefined)
}

const ofKind = function* <Kind extends Line['kind']>(file: SealedFile, kind: Kind) {
  for (const { line } of linesOf(file)) if (line.kind === kind) yield line as Extract<Line, { readonly kind: Kind }>
}

const placeKeys = async ({ vault }: Pick<Services, 'vault'>, file: SealedFile): Promise<void> => {
  const subjects = function* () {
    for (const { subject, key } of ofKind(file, 'subject'))
      yield { subject, key: key === null ? ('erased' as const) : Buffer.from(key, 'base64') }
  }
  const seeds = function* () {
    for (const { name, seed } of ofKind(file, 'seed')) yield { name, seed: Buffer.from(seed, 'base64') }
  }
  const hashes = function* () {
    for (const { purpose, text, hash } of ofKind(file, 'hash'))
      yield { purpose, text, hash: decodeOrThrow(KeyedHash, hash) }
  }
  await vault.carriage.place({ subjects: subjects(), seeds: seeds(), hashes: hashes() })
}

const addLines = (graft: Graft, sql: SqlDatabase, file: SealedFile): void => {
  for (const { line } of linesOf(file)) {
    if (line.kind === 'event') {
      const problem = graft.add(eventOf(line))
      if (problem !== null) throw new AlteredFile(`${line.stream} @ ${line.revision}: ${problem}`)
    }
    if (line.kind === 'row') addRow(sql, line)
  }
}

/** Only columns that the table has here; those of a newer release are refused by the table. */
const addRow = (sql: SqlDatabase, { table, row }: RowLine): void => {
  const columns = sql.prepare(`PRAGMA table_info(${table})`).all()
  const names = columns.map(({ name }) => String(name)).filter((name) => name in row)
  if (names.length !== Object.keys(row).length) throw new AlteredFile(`a row of ${table} has another column`)
  const places = names.map(() => '?').join(', ')
  sql
    .prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${places})`)
    .run(...names.map((name) => row[name] ?? null))
}

/** The merchant has arrived, and is frozen until its accounts have other keys than those that the source has too. */
const recordArrival = (graft: Graft, { beginning, end, merchant }: Checked, by: Text, at: UnixMs): void => {
  const { merchantId, foreign } = beginning
  const command = { type: 'ReceiveMerchant' as const, digest: asText(end.digest), by, at, foreign }
  const decided = Merchant.decider.decide(command)(merchant)
  if (E.isLeft(decided)) throw new Error(`${merchantId} cannot arrive: ${decided.left._tag}`)
  const commandId = derivedCommandId(end.digest, 'arrive')
  const eventFor = (stream: string, owner: string, encoded: ReturnType<typeof encodedArrival>): NewEvent => ({
    id: eventId(commandId, stream, 0),
    ...encoded,
    context: {
      merchantId: owner,
      environment: 'testnet',
      commandId,
      correlationId: commandId,
      causationId: null,
      actor: 'operator',
      occurredAt: at,
    },
  })
  const ofMerchant = `${Merchant.category}-${merchantId}`
  for (const event of decided.right)
    graft.append(ofMerchant, eventFor(ofMerchant, merchantId, encodedArrival(event)), at)
  const ofFreezes = `${Freezes.category}-${platform}`
  const reason = asText('arrived from another installation: its accounts need other keys first')
  const frozen = { scope: 'everything' as const, merchantId: asText(merchantId), by, reason, at }
  graft.append(
    ofFreezes,
    eventFor(ofFreezes, platform, Freezes.events.encodeEvent({ type: 'Frozen', data: frozen })),
    at,
  )
}

const encodedArrival = (event: MerchantEvent) => Merchant.events.encodeEvent(event)

/** Ingesting a ledger again writes nothing twice, so all merchants' ledgers are read again from there. */
const turnBack = (sql: SqlDatabase, { places }: Beginning): void => {
  for (const { environment, ledger, closedAt } of places)
    sql
      .prepare(
        `INSERT INTO ledger_cursors (environment, sequence, closed_at, hash) VALUES (?, ?, ?, NULL)
         ON CONFLICT (environment) DO UPDATE SET sequence = excluded.sequence, closed_at = excluded.closed_at, hash = NULL
         WHERE sequence > excluded.sequence`,
      )
      .run(environment, ledger, closedAt)
}
