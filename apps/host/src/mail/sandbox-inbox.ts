import type { Mail, Mailer } from '@quittance/billing'
import * as TE from 'fp-ts/lib/TaskEither.js'

/** The mails of the sandbox, which no server gets. */
export type SandboxInbox = Mailer & {
  /** The mails of a merchant, the newest first. */
  readonly of: (merchantId: string) => ReadonlyArray<Mail & { readonly sentAt: number }>
}

const mostOfMerchant = 100

/** In the memory of this process: a restart empties it. */
export const sandboxInbox = (now: () => number): SandboxInbox => {
  const inboxes = new Map<string, ReadonlyArray<Mail & { readonly sentAt: number }>>()
  const mailsOf = (merchantId: string) => inboxes.get(merchantId) ?? []
  return {
    send: (mail) => {
      const { merchantId } = mail
      inboxes.set(merchantId, [{ ...mail, sentAt: now() }, ...mailsOf(merchantId)].slice(0, mostOfMerchant))
      return TE.right(undefined)
    },
    of: mailsOf,
  }
}
