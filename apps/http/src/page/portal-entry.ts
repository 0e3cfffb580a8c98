import type { PortalDoor } from '@quittance/billing'
import { type Html, html } from './html.ts'
import { documentOf } from './layout.ts'

/** Where the page of a merchant's portal asks for the email. */
export const portalEntryPath = ({ merchantId, environment }: Pick<PortalDoor, 'merchantId' | 'environment'>): string =>
  `/portal/entry?${new URLSearchParams({ merchant: merchantId, environment })}`

const paged = (title: string, testId: string, body: Html): string =>
  documentOf(
    title,
    html`<main class="page page-narrow">
<section class="card portal" data-testid="${testId}">
<h1 dir="auto">${title}</h1>
${body}
</section>
</main>`,
    { hasScript: false },
  )

const alert = (problem: string | null): Html | null =>
  problem === null ? null : html`<p class="problem" role="alert" data-testid="entry-problem">${problem}</p>`

/** Asks for the email; without mails it says where else to come from. */
export const renderPortalEntry = (door: PortalDoor, problem: string | null = null): string =>
  paged(
    door.merchant,
    'portal-entry',
    door.hasMail
      ? html`<p>See and change what you have here. We send a code to the email that you gave when you paid.</p>
${alert(problem)}
<form class="account mailed" method="post" action="/portal/entry/email">
<input type="hidden" name="merchant" value="${door.merchantId}">
<input type="hidden" name="environment" value="${door.environment}">
<label for="email">Your email</label>
<input id="email" name="email" data-testid="entry-email" type="email" autocomplete="email" required autofocus>
<button type="submit" class="button" data-testid="entry-ask">Send a code</button>
</form>`
      : html`<p>No codes are sent by mail here. Please open this page from the site where you paid.</p>`,
  )

/** Asks for the code that was sent. It looks the same whether or not a customer has the email. */
export const renderPortalCode = (door: PortalDoor, entryId: string, problem: string | null = null): string =>
  paged(
    door.merchant,
    'portal-code',
    html`<p>If you are a customer here, a code is on its way to your email. It works once, within ten minutes.</p>
${alert(problem)}
<form class="account mailed" method="post" action="/portal/entry/code">
<input type="hidden" name="entry_id" value="${entryId}">
<label for="code">The code</label>
<input id="code" name="code" data-testid="entry-code" autocomplete="one-time-code" autocapitalize="characters" spellcheck="false" placeholder="0000-0000" required autofocus>
<button type="submit" class="button" data-testid="entry-open">Continue</button>
</form>
<p><a href="${portalEntryPath(door)}" data-testid="entry-again">Ask for another code</a></p>`,
  )

/** The page for a code that can no longer be used. */
export const renderSpentCode = (): string =>
  paged(
    'This code is no longer good',
    'portal-code-spent',
    html`<p>A code works once, within ten minutes, and can be tried five times. Please go back and ask for another one.</p>`,
  )

/** The page for a merchant that there is not. */
export const renderNoDoor = (): string =>
  paged(
    'This page does not exist',
    'portal-no-door',
    html`<p>The address may be incomplete. Please go back to where you came from.</p>`,
  )
