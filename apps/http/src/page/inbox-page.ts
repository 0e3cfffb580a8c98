import { type Html, html } from './html.ts'
import { documentOf } from './layout.ts'

/** A mail that the sandbox keeps instead of sending it. */
type InboxMail = {
  readonly id: number
  readonly to: { readonly address: string }
  readonly subject: string
  readonly text: string
  readonly sentAt: number
}

const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

const sandbox = 'allow-popups allow-popups-to-escape-sandbox'

const entry = ({ id, to, subject, text, sentAt }: InboxMail): Html => html`<details class="details" data-testid="mail">
<summary><strong dir="auto">${subject}</strong><span class="payment-part quiet">to <bdi>${to.address}</bdi>, ${moment.format(sentAt)} UTC</span></summary>
<iframe sandbox="${sandbox}" src="/sandbox/inbox/${String(id)}" title="${subject}" loading="lazy"></iframe>
<details><summary class="quiet">As text</summary><pre dir="auto">${text}</pre></details>
</details>`

/** The mails, the newest first, each in a frame that runs no scripts. */
export const renderInbox = (mails: ReadonlyArray<InboxMail>): string =>
  documentOf(
    'Mails of the sandbox',
    html`<main class="page page-narrow">
<section class="card inbox" data-testid="inbox">
<h1>Mails of the sandbox</h1>
<p class="quiet">Nobody gets them. A restart forgets them.</p>
${mails.length === 0 ? html`<p>There is no mail yet. Load this page again after a sale.</p>` : mails.map(entry)}
</section>
</main>`,
    { hasScript: false },
  )

/** For visitors from elsewhere. */
export const renderNoInbox = (): string =>
  documentOf(
    'Mails of the sandbox',
    html`<main class="page page-narrow">
<section class="card notice" data-testid="no-inbox">
<h1>The mails are not shown here</h1>
<p>They hold codes that let people in. Open this page on the machine of the service, or ask for <code>/sandbox/mail</code> with a secret key.</p>
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
