import type { Read, Settings } from '../settings.ts'

/** The server that takes mails, with its credentials, and their sender. */
export type SmtpServer = { readonly url: string; readonly from: string }

const smtpUrl: Read<string> = (text) =>
  /^smtps?:\/\/[^/\s]/.test(text) && URL.canParse(text) && new URL(text).hostname !== '' ? text : null

/** `billing@shop.example` or `A Shop <billing@shop.example>`, without what could begin another header or address. */
const sender: Read<string> = (text) =>
  /^([^<>,;:"\p{Cc}]* <[^\s<>@,;:"]+@[^\s<>@,;:"]+>|[^\s<>@,;:"]+@[^\s<>@,;:"]+)$/u.test(text) ? text : null

/** Null where no mail is sent. One of the two without the other is a problem. */
export const smtpIn = ({ read, isSet, complain }: Settings): SmtpServer | null => {
  const url = read<string | null>('SMTP_URL', 'smtp://host:port or smtps://host:port, with credentials', smtpUrl, null)
  const from = read<string | null>('MAIL_FROM', 'an address, or `Name <address>`', sender, null)
  const [hasUrl, hasFrom] = [isSet('SMTP_URL'), isSet('MAIL_FROM')]
  if (hasUrl && !hasFrom) complain({ variable: 'QUITTANCE_MAIL_FROM', expected: 'set, since QUITTANCE_SMTP_URL is' })
  if (hasFrom && !hasUrl) complain({ variable: 'QUITTANCE_SMTP_URL', expected: 'set, since QUITTANCE_MAIL_FROM is' })
  return url === null || from === null ? null : { url, from }
}
