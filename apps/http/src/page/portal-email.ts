import { type Html, html } from './html.ts'
import { documentOf } from './layout.ts'

/** Asks for a new email. The page shows no email, since somebody else may use the browser by now. */
export const emailForm = (formToken: string): Html =>
  html`<h2>Your email</h2>
<details class="details" data-testid="email-change">
<summary>Change it</summary>
<p>We send a code to the new address and one to the present one. You need both.</p>
<form class="account mailed" method="post" action="/portal/email">
<input type="hidden" name="form_token" value="${formToken}">
<label for="new-email">The new address</label>
<input id="new-email" name="email" data-testid="new-email" type="email" autocomplete="email" required>
<button type="submit" class="button" data-testid="ask-email-change">Send codes</button>
</form>
</details>`

const paged = (title: string, testId: string, body: Html): string =>
  documentOf(
    title,
    html`<main class="page page-narrow">
<section class="card portal" data-testid="${testId}">
<h1>${title}</h1>
${body}
<p><a href="/portal">Back to what is yours</a></p>
</section>
</main>`,
    { hasScript: false },
  )

const codeField = (name: string, label: string): Html =>
  html`<label for="${name}">${label}</label>
<input id="${name}" name="${name}" data-testid="${name}" autocomplete="off" autocapitalize="characters" spellcheck="false" placeholder="0000-0000" required>`

/** Asks for the codes that were sent to both addresses. */
export const renderEmailCodes = (changeId: string, formToken: string, problem: string | null = null): string =>
  paged(
    'Change your email',
    'email-codes',
    html`<p>Two codes are on their way: one to the new address and one to the present one. They work once, within ten minutes.</p>
${problem === null ? null : html`<p class="problem" role="alert" data-testid="email-problem">${problem}</p>`}
<form class="account mailed" method="post" action="/portal/email/confirm">
<input type="hidden" name="form_token" value="${formToken}">
<input type="hidden" name="change_id" value="${changeId}">
${codeField('new_code', 'The code from the new address')}
${codeField('old_code', 'The code from the present address')}
<button type="submit" class="button" data-testid="confirm-email">Change it</button>
</form>`,
  )

export const renderEmailChanged = (): string =>
  paged('Your email is changed', 'email-changed', html`<p>From now on, codes go to the new address.</p>`)
