import type { Sql } from '@quittance/event-store'
import { readVault } from '../stores/vault/read-vault.ts'
import { decisionsCheck } from './decisions/check-decisions.ts'
import { keysCheck } from './keys/check-keys.ts'
import { linksCheck } from './links/check-links.ts'
import { checkLog, type Finding, findingIn, type LogCheck, type LogToCheck } from './log-check.ts'
import { signaturesCheck } from './signatures/check-signatures.ts'
import { readSignings } from './signatures/read-signings.ts'

/** The vault beside a log. `masterKey`: null where nobody has said it. */
export type VaultToCheck = { readonly sql: Sql; readonly masterKey: Uint8Array | null }

/** What was found in a log whose hashes are sound, and what could not be looked at. */
export type Contents = { readonly findings: ReadonlyArray<Finding>; readonly notChecked: ReadonlyArray<string> }

/**
 * Checks what hashes cannot show: whether commands can have recorded the events, whether streams agree with each other, and
 * whether the vault is the one of the log. Changes nothing. `onEvent` hears how many events were read.
 * Errors: rejects where log or vault cannot be read.
 */
export const checkContents = async (
  log: LogToCheck,
  vault: VaultToCheck | null,
  onEvent?: (events: number) => void,
): Promise<Contents> => {
  const keys = await keysOf(vault)
  const findings = await checkLog(log, [decisionsCheck(), linksCheck(), ...keys.checks], onEvent)
  return { findings: [...keys.findings, ...findings], notChecked: keys.notChecked }
}

type Begun = Contents & { readonly checks: ReadonlyArray<LogCheck> }
const nothing: Begun = { checks: [], findings: [], notChecked: [] }

const keysOf = async (vault: VaultToCheck | null): Promise<Begun> => {
  if (vault === null) return { ...nothing, notChecked: ['the vault: there is none'] }
  const { sql, masterKey } = vault
  const again = async () => (masterKey === null ? null : sql.run(readVault(sql.dialect, masterKey)))
  const keys = await again()
  if (keys !== null && '_tag' in keys) {
    return keys._tag === 'NoVault'
      ? { ...nothing, notChecked: ['the vault: there is none'] }
      : { ...nothing, findings: [findingIn(null, 'vault: no key in it opens under this master key')] }
  }
  const signings = () => sql.run(readSignings(sql.dialect, keys?.chainHash ?? null))
  const early = await signings()
  const signatures = signaturesCheck(early, signings, keys)
  const unchained =
    early.unchained === 0 ? [] : [`${early.unchained} signing records of an earlier release, until the next start`]
  return keys === null
    ? { ...nothing, checks: [signatures], notChecked: [withoutKey, ...unchained] }
    : { ...nothing, checks: [keysCheck(keys, again), signatures], notChecked: unchained }
}

const withoutKey = 'the keys of the vault, and what is sealed under them: the master key is not set'
