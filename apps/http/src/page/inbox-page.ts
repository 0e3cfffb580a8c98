import { dayAndTime } from './browser/time.ts'
import { type Html, html } from './html.ts'
import { documentOf } from './layout.ts'
import type { Reader } from './reader.ts'

/** A mail that the sandbox keeps instead of sending it. */
type InboxMail = {
  readonly id: number
  readonly to: { readonly address: string }
  readonly subject: string
  readonly text: string
  readonly sentAt: number
}

const sandbox = 'allow-popups allow-popups-to-escape-sandbox'

const entry = (
  { words: { inbox }, script }: Reader,
  { id, to, subject, text, sentAt }: InboxMail,
): Html => html`<details class="details" data-testid="mail">
<summary><strong dir="auto">${subject}</strong><span class="payment-part quiet">${inbox.to(html`<bdi>${to.address}</bdi>`, dayAndTime(script.dates, sentAt, 'UTC'))}</span></summary>
<iframe sandbox="${sandbox}" src="/sandbox/inbox/${String(id)}" title="${subject}" loading="lazy"></iframe>
<details><summary class="quiet">${inbox.asText}</summary><pre dir="auto">${text}</pre></details>
</details>`

/** The mails, the newest first, each in a frame that runs no scripts. */
export const renderInbox = (reader: Reader, mails: ReadonlyArray<InboxMail>): string =>
  documentOf(
    reader,
    reader.words.inbox.title,
    html`<main class="page page-narrow">
<section class="card inbox" data-testid="inbox">
<h1>${reader.words.inbox.title}</h1>
<p class="quiet">${reader.words.inbox.text}</p>
${mails.length === 0 ? html`<p>${reader.words.inbox.none}</p>` : mails.map((mail) => entry(reader, mail))}
</section>
</main>`,
    { hasScript: false },
  )

/** For visitors from elsewhere. */
export const renderNoInbox = (reader: Reader): string =>
  documentOf(
    reader,
    reader.words.inbox.title,
    html`<main class="page page-narrow">
<section class="card notice" data-testid="no-inbox">
<h1>${reader.words.inbox.hidden}</h1>
<p>${reader.words.inbox.hiddenText(html`<code>/sandbox/mail</code>`)}</p>
</section>
</main>`,
    { hasScript: false },
  )

/**
 * The headers of a mail's own document: it runs nothing, loads nothing, and is framed by our pages alone. Its links open new
 * windows. Mails style themselves inline, as mail programs want it.
 */
export const mailSecurityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    `sandbox ${sandbox}`,
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
}
