import { createHash } from 'node:crypto'
import {
  asText,
  keyCount,
  LogTransparency,
  type LogTransparencyState,
  logInUse,
  type NamedLog,
} from '@quittance/domain'
import { printVerifierKey } from '@quittance/transparency'
import * as E from 'fp-ts/lib/Either.js'
import { deploymentTime } from '../../kernel/clock.ts'
import { type ExecuteFailure, execute } from '../../kernel/execute.ts'
import { type StoreUnavailable, stateOf } from '../../kernel/load.ts'
import { platform } from '../../kernel/platform.ts'
import type { Services } from '../../services/services.ts'
import { type LogKey, logKey } from '../../stores/signing/log-key.ts'
import type { CheckpointFailure } from './failure.ts'

type IdentityServices = Pick<Services, 'store' | 'vault' | 'clock' | 'freshId' | 'publicUrl'>

/** A log and its keys that this vault has. The newest, which each checkpoint is signed by, is among them. */
export type SigningLog = NamedLog & { readonly keys: ReadonlyArray<LogKey> }

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

const begin = async (
  services: IdentityServices,
  state: LogTransparencyState,
): Promise<E.Either<ExecuteFailure | CheckpointFailure, LogTransparencyState>> => {
  const { store, vault, clock, freshId } = services
  const origin = newOrigin(services)
  const { key } = await logKey(vault.carriage, keyCount(state) + 1, origin)
  const commandId = freshId()
  const at = deploymentTime(clock)
  // The event concerns the log of all environments; it has to name one.
  const context = {
    merchantId: platform,
    environment: 'testnet' as const,
    commandId,
    correlationId: commandId,
    causationId: null,
    actor: 'process',
    at,
  }
  const begun = await execute(store)(
    LogTransparency,
    platform,
    context,
    LogTransparency.decider.decide({
      type: 'BeginTransparencyLog',
      origin: asText(origin),
      vkey: asText(printVerifierKey(key)),
      begunAt: at,
      reason: null,
    }),
  )
  return E.isLeft(begun) ? begun : E.right(begun.right.state)
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
  const begun = logInUse(known.right) === null ? await begin(services, known.right) : known
  if (E.isLeft(begun)) return begun
  const log = logInUse(begun.right)
  if (log === null) throw new Error('A transparency log that has begun has a name')
  const keys = await keysOf(services, begun.right, log)
  const newest = log.vkeys.at(-1) ?? ''
  const hasNewest = keys.some(({ key }) => printVerifierKey(key) === newest)
  return hasNewest ? E.right({ ...log, keys }) : E.left({ _tag: 'LogKeyLacking', vkey: newest })
}
