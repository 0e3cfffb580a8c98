import type { Mail, Mailer } from '@quittance/billing'
import * as TE from 'fp-ts/lib/TaskEither.js'

/** The mails of the sandbox, which no server gets. */
export type SandboxInbox = Mailer & {
  /** The mails of a merchant, the newest first. */
  readonly of: (merchantId: string) => ReadonlyArray<InboxMail>
  /** Those of all merchants, the newest first. */
  readonly all: () => ReadonlyArray<InboxMail>
}

/** `id` counts the mails of the process. */
export type InboxMail = Mail & { readonly id: number; readonly sentAt: number }

const mostOfMerchant = 100

/** In the memory of this process: a restart empties it. */
export const sandboxInbox = (now: () => number): SandboxInbox => {
  let sent = 0
  const inboxes = new Map<string, ReadonlyArray<InboxMail>>()
  const mailsOf = (merchantId: string) => inboxes.get(merchantId) ?? []
  return {
    isInbox: true,
    send: (mail) => {
      const { merchantId } = mail
      sent += 1
      inboxes.set(merchantId, [{ ...mail, id: sent, sentAt: now() }, ...mailsOf(merchantId)].slice(0, mostOfMerchant))
      return TE.right(undefined)
    },
    of: mailsOf,
    all: () => [...inboxes.values()].flat().sort((one, other) => other.id - one.id),
  }
}
