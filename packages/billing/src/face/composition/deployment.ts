import type { Clock } from '../../kernel/clock.ts'
import type { Services } from '../../services/services.ts'
import type { Mailers } from '../../stores/mail/mailer.ts'
import type { Screening } from '../../stores/screening/port.ts'
import type { Vault } from '../../stores/vault/port.ts'

/** What every composition needs beside its log and its tables. */
export type Deployment = {
  /** Keeps secrets and the keys of personal data. */
  readonly vault: Vault
  /** The clock of each environment. */
  readonly clock: Clock
  /** The Stellar network of each environment; null where it is not configured. */
  readonly networks: Services['networks']
  /** The address of the service for payers, without a trailing slash. */
  readonly publicUrl: Services['publicUrl']
  /** Accounts that many owners share by memos: nothing is paid out to them. None by default. */
  readonly omnibusAccounts?: Services['omnibusAccounts']
  /** The keys of the witnesses that cosign checkpoints, whose cosignatures evidence then holds. None by default. */
  readonly witnessKeys?: Services['witnessKeys']
  /** Keeps a mark of the log beside it, by which a log that went back is found. Null, the default: the vault alone keeps one. */
  readonly markFile?: string | null
  /** Tells with whom the service must not deal. By default, it deals with everyone. */
  readonly screening?: Screening
  /** What sends mails, by environment. By default, nothing does. */
  readonly mailers?: Mailers
}
