import type { Mailer, MailFailure } from '@quittance/billing'
import { isLoopbackHost } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { createTransport } from 'nodemailer'
import type { SmtpServer } from './mail-setting.ts'

const secondMs = 1_000
const usualTimeoutMs = 10 * secondMs

/**
 * Sends by SMTP, over connections that are kept for a while. Codes grant entry, so another machine must offer TLS, unless
 * the address says `?requireTLS=false`.
 */
export const smtpMailer = (
  { url, from }: SmtpServer,
  timeoutMs: number = usualTimeoutMs,
): Mailer & { readonly close: () => void } => {
  const transport = createTransport(
    {
      pool: true,
      url: withTls(url),
      maxConnections: 3,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      dnsTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  )
  return {
    send:
      ({ to, subject, text, html }) =>
      async () => {
        try {
          const name = to.name === null ? '' : to.name
          await transport.sendMail({
            to: { name, address: to.address },
            subject,
            text,
            html,
            headers: { 'Auto-Submitted': 'auto-generated' },
          })
          return E.right(undefined)
        } catch (cause) {
          return E.left(failureIn(cause))
        }
      },
    close: () => transport.close(),
  }
}

export const withTls = (text: string): string => {
  const url = new URL(text)
  if (!isLoopbackHost(url.hostname) && !url.searchParams.has('requireTLS')) url.searchParams.set('requireTLS', 'true')
  return url.href
}

const SmtpError = t.partial({ code: t.string, responseCode: t.number })

/** The server's own words may hold an address: only codes are told. */
const failureIn = (cause: unknown): MailFailure => {
  const { code = 'unknown error', responseCode = 0 } = SmtpError.is(cause) ? cause : {}
  // Other codes mean the server, or our credentials: the mail itself may go out later.
  const isFinal = responseCode >= 550 && responseCode < 560 && code === 'EENVELOPE'
  const words = responseCode === 0 ? code : `${code} ${responseCode}`
  return { _tag: isFinal ? 'MailRefused' : 'MailUnavailable', cause: words }
}
