import { createHash } from 'node:crypto'
import {
  asText,
  keyCount,
  LogTransparency,
  type LogTransparencyCommand,
  type LogTransparencyRejection,
  type LogTransparencyState,
  logInUse,
  type NamedLog,
  type Text,
  type UnixMs,
} from '@quittance/domain'
import { parseVerifierKey, printVerifierKey, type VerifierKey } from '@quittance/transparency'
import * as E from 'fp-ts/lib/Either.js'
import { deploymentTime } from '../../kernel/clock.ts'
import { type ExecuteFailure, execute } from '../../kernel/execute.ts'
import { type StoreUnavailable, stateOf } from '../../kernel/load.ts'
import { platform } from '../../kernel/platform.ts'
import type { Services } from '../../services/services.ts'
import { type LogKey, logKey } from '../../stores/signing/log-key.ts'
import type { CheckpointFailure } from './failure.ts'

type IdentityServices = Pick<Services, 'store' | 'vault' | 'clock' | 'freshId' | 'publicUrl'>

/**
 * A log and its keys. `keys` are those that this vault has, and sign; the newest is among them. `verifierKeys` are all that it
 * ever had: what a lost key has signed counts too.
 */
export type SigningLog = NamedLog & {
  readonly keys: ReadonlyArray<LogKey>
  readonly verifierKeys: ReadonlyArray<VerifierKey>
}

export const stateOfLog = async ({
  store,
}: Pick<Services, 'store'>): Promise<E.Either<StoreUnavailable, LogTransparencyState>> => {
  const found = await stateOf(store)(LogTransparency, platform)
  return E.isLeft(found) ? found : E.right(found.right.state)
}

/** A name that no other log has: the host of the service, and 16 hex digits. */
const newOrigin = ({ publicUrl, freshId }: Pick<Services, 'publicUrl' | 'freshId'>): string => {
  const own = createHash('sha256').update(freshId()).digest('hex').slice(0, 16)
  return `${new URL(publicUrl()).host}/${own}`
}

/** What a person decides about a log, and why. */
export type LogDecision = { readonly by: Text; readonly reason: Text }

type Recorded = E.Either<ExecuteFailure | LogTransparencyRejection, LogTransparencyState>

/** Records a command unless another process has made a key since the state was read: keys are numbered by how many there are. */
const record = async (
  { store, clock, freshId }: IdentityServices,
  state: LogTransparencyState,
  actor: string,
  commandAt: (at: UnixMs) => LogTransparencyCommand,
): Promise<Recorded> => {
  const commandId = freshId()
  const at = deploymentTime(clock)
  // The event concerns the log of all environments; it has to name one.
  const context = {
    merchantId: platform,
    environment: 'testnet' as const,
    commandId,
    correlationId: commandId,
    causationId: null,
    actor,
    at,
  }
  const recorded = await execute(store)(LogTransparency, platform, context, (current: LogTransparencyState) =>
    keyCount(current) === keyCount(state) ? LogTransparency.decider.decide(commandAt(at))(current) : E.right([]),
  )
  return E.isLeft(recorded) ? recorded : E.right(recorded.right.state)
}

/** The verifier key of the next key of this vault. */
const nextKey = async (
  { vault }: Pick<Services, 'vault'>,
  state: LogTransparencyState,
  origin: string,
): Promise<Text> => {
  const { key } = await logKey(vault.carriage, keyCount(state) + 1, origin)
  return asText(printVerifierKey(key))
}

/** Begins a log under a name of its own: the first one, or another one that a person wants. */
const begin = async (
  services: IdentityServices,
  state: LogTransparencyState,
  decision: LogDecision | null,
): Promise<Recorded> => {
  const origin = newOrigin(services)
  const vkey = await nextKey(services, state, origin)
  return record(services, state, decision?.by ?? 'process', (begunAt) => ({
    type: 'BeginTransparencyLog',
    origin: asText(origin),
    vkey,
    begunAt,
    reason: decision?.reason ?? null,
  }))
}

/** Gives the log another name and key. Nothing that was signed under the name before is taken back. */
export const recordNewBeginning = async (services: IdentityServices, decision: LogDecision): Promise<Recorded> => {
  const known = await stateOfLog(services)
  return E.isLeft(known) ? known : begin(services, known.right, decision)
}

/** Gives the log in use another key. Those before it go on signing where the vault has them. */
export const recordNewKey = async (services: IdentityServices, { by, reason }: LogDecision): Promise<Recorded> => {
  const known = await stateOfLog(services)
  if (E.isLeft(known)) return known
  const log = logInUse(known.right)
  if (log === null) return E.left({ _tag: 'NoTransparencyLog' })
  const vkey = await nextKey(services, known.right, log.origin)
  return record(services, known.right, by, (rotatedAt) => ({ type: 'RotateTransparencyKey', vkey, rotatedAt, reason }))
}

/** The keys of the log in use that this vault has. Keys are numbered through all logs. */
const keysOf = async (
  { vault }: Pick<Services, 'vault'>,
  state: LogTransparencyState,
  { origin, vkeys }: NamedLog,
): Promise<ReadonlyArray<LogKey>> => {
  const before = keyCount(state) - vkeys.length
  const keys: Array<LogKey> = []
  for (const [at, vkey] of vkeys.entries()) {
    const made = await logKey(vault.carriage, before + at + 1, origin)
    if (printVerifierKey(made.key) === vkey) keys.push(made)
  }
  return keys
}

/**
 * The log under the name that its checkpoints have, with the keys that sign them. It begins where there is none yet.
 * Errors: `LogKeyLacking` where the vault lacks the newest key.
 */
export const signingLog = async (services: IdentityServices): Promise<E.Either<CheckpointFailure, SigningLog>> => {
  const known = await stateOfLog(services)
  if (E.isLeft(known)) return known
  const begun = logInUse(known.right) === null ? await begin(services, known.right, null) : known
  if (E.isLeft(begun)) return begun
  const log = logInUse(begun.right)
  if (log === null) throw new Error('A transparency log that has begun has a name')
  const keys = await keysOf(services, begun.right, log)
  const newest = log.vkeys.at(-1) ?? ''
  const hasNewest = keys.some(({ key }) => printVerifierKey(key) === newest)
  if (!hasNewest) return E.left({ _tag: 'LogKeyLacking', vkey: newest })
  const verifierKeys = log.vkeys.map(parseVerifierKey).flatMap((key) => (E.isRight(key) ? [key.right] : []))
  return E.right({ ...log, keys, verifierKeys })
}
