import type { PortalDoor } from '@quittance/billing'
import { type Html, html } from './html.ts'
import { documentOf } from './layout.ts'
import { addressFor, type Reader } from './reader.ts'

/** Where the page of a merchant's portal asks for the email. */
export const portalEntryPath = ({ merchantId, environment }: Pick<PortalDoor, 'merchantId' | 'environment'>): string =>
  `/portal/entry?${new URLSearchParams({ merchant: merchantId, environment })}`

const paged = (reader: Reader, title: string, testId: string, body: Html): string =>
  documentOf(
    reader,
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
export const renderPortalEntry = (reader: Reader, door: PortalDoor, problem: string | null = null): string => {
  const { entry } = reader.words
  return paged(
    reader,
    door.merchant,
    'portal-entry',
    door.hasMail
      ? html`<p>${entry.text}</p>
${alert(problem)}
<form class="account mailed" method="post" action="${addressFor(reader, '/portal/entry/email')}">
<input type="hidden" name="merchant" value="${door.merchantId}">
<input type="hidden" name="environment" value="${door.environment}">
<label for="email">${entry.email}</label>
<input id="email" name="email" data-testid="entry-email" type="email" autocomplete="email" required autofocus>
<button type="submit" class="button" data-testid="entry-ask">${entry.ask}</button>
</form>`
      : html`<p>${entry.noMail}</p>`,
  )
}

/** Asks for the code that was sent. It looks the same whether or not a customer has the email. */
export const renderPortalCode = (
  reader: Reader,
  door: PortalDoor,
  entryId: string,
  problem: string | null = null,
): string => {
  const { entry } = reader.words
  return paged(
    reader,
    door.merchant,
    'portal-code',
    html`<p>${entry.codeText}</p>
${alert(problem)}
<form class="account mailed" method="post" action="${addressFor(reader, '/portal/entry/code')}">
<input type="hidden" name="entry_id" value="${entryId}">
<label for="code">${entry.code}</label>
<input id="code" name="code" data-testid="entry-code" dir="ltr" autocomplete="one-time-code" autocapitalize="characters" spellcheck="false" placeholder="0000-0000" required autofocus>
<button type="submit" class="button" data-testid="entry-open">${entry.open}</button>
</form>
<p><a href="${addressFor(reader, portalEntryPath(door))}" data-testid="entry-again">${entry.again}</a></p>`,
  )
}

/** The page for a code that can no longer be used. */
export const renderSpentCode = (reader: Reader): string =>
  paged(
    { ...reader, address: null },
    reader.words.entry.spent,
    'portal-code-spent',
    html`<p>${reader.words.entry.spentText}</p>`,
  )

/** The page for a merchant that there is not. It repeats nothing of its address. */
export const renderNoDoor = (reader: Reader): string =>
  paged(
    { ...reader, address: null },
    reader.words.entry.noDoor,
    'portal-no-door',
    html`<p>${reader.words.entry.noDoorText}</p>`,
  )
