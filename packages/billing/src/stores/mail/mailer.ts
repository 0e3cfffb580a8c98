import type { Environment, MerchantProfile } from '@quittance/domain'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'

/** A mail to one person on behalf of a merchant. `html` says the same as `text`. */
export type Mail = {
  readonly merchantId: string
  readonly to: { readonly name: string | null; readonly address: string }
  readonly subject: string
  readonly text: string
  readonly html: string
}

/**
 * `MailUnavailable`: the server cannot be reached or asks to wait. `MailRefused`: it will never take this mail. `cause` is
 * for the operator and names nobody.
 */
export type MailFailure = { readonly _tag: 'MailUnavailable' | 'MailRefused'; readonly cause: string }

/** Hands mails over to whatever delivers them. */
export interface Mailer {
  /** It delivers to nobody but developers, so customers' mails are on unless a merchant switches them off. */
  readonly isInbox?: boolean
  readonly send: (mail: Mail) => TaskEither<MailFailure, void>
}

/** Null where an environment sends no mail. */
export type Mailers = Readonly<Record<Environment, Mailer | null>>

/** Whether a merchant's customers get mails of what happens. */
export const mailsCustomers = ({ customerMails }: MerchantProfile, mailer: Mailer | null): boolean =>
  customerMails ?? mailer?.isInbox ?? false

export const noMailers: Mailers = { testnet: null, mainnet: null }
