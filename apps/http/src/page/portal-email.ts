import { type Html, html } from './html.ts'
import { documentOf } from './layout.ts'
import { addressFor, type Reader } from './reader.ts'

/** Asks for a new email. The page shows no email, since somebody else may use the browser by now. */
export const emailForm = (reader: Reader, formToken: string): Html => {
  const { email } = reader.words
  return html`<h2>${email.heading}</h2>
<details class="details" data-testid="email-change">
<summary>${email.change}</summary>
<p>${email.text}</p>
<form class="account mailed" method="post" action="${addressFor(reader, '/portal/email')}">
<input type="hidden" name="form_token" value="${formToken}">
<label for="new-email">${email.newAddress}</label>
<input id="new-email" name="email" data-testid="new-email" type="email" autocomplete="email" required>
<button type="submit" class="button" data-testid="ask-email-change">${email.send}</button>
</form>
</details>`
}

const paged = (reader: Reader, title: string, testId: string, body: Html): string =>
  documentOf(
    reader,
    title,
    html`<main class="page page-narrow">
<section class="card portal" data-testid="${testId}">
<h1>${title}</h1>
${body}
<p><a href="${addressFor(reader, '/portal')}">${reader.words.portal.backToPortal}</a></p>
</section>
</main>`,
    { hasScript: false },
  )

const codeField = (name: string, label: string): Html =>
  html`<label for="${name}">${label}</label>
<input id="${name}" name="${name}" data-testid="${name}" autocomplete="off" autocapitalize="characters" spellcheck="false" placeholder="0000-0000" required>`

/** Asks for the codes that were sent to both addresses. */
export const renderEmailCodes = (
  reader: Reader,
  changeId: string,
  formToken: string,
  problem: string | null = null,
): string => {
  const { email } = reader.words
  return paged(
    reader,
    email.title,
    'email-codes',
    html`<p>${email.codesText}</p>
${problem === null ? null : html`<p class="problem" role="alert" data-testid="email-problem">${problem}</p>`}
<form class="account mailed" method="post" action="${addressFor(reader, '/portal/email/confirm')}">
<input type="hidden" name="form_token" value="${formToken}">
<input type="hidden" name="change_id" value="${changeId}">
${codeField('new_code', email.newCode)}
${codeField('old_code', email.oldCode)}
<button type="submit" class="button" data-testid="confirm-email">${email.change}</button>
</form>`,
  )
}

export const renderEmailChanged = (reader: Reader): string =>
  paged(reader, reader.words.email.changed, 'email-changed', html`<p>${reader.words.email.changedText}</p>`)
