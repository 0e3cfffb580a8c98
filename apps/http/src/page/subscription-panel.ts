import { type Mandate, mandateLines } from './browser/mandate.ts'
import type { CheckoutPage } from './checkout-page.ts'
import { type Html, html } from './html.ts'
import { ownWallet } from './own-wallet.ts'
import { deadline, noQuote, sandboxWallet } from './panel-parts.ts'
import type { Reader } from './reader.ts'

const terms = ({ words, script }: Reader, mandate: Mandate): Html => {
  const { now, later, end } = mandateLines(script, mandate)
  return html`<section class="agreement" aria-labelledby="agreement-title">
<h2 id="agreement-title">${words.subscribe.agreement}</h2>
<ul class="lines">
<li id="mandate-now" data-testid="mandate-now">${now}</li>
<li id="mandate-later" data-testid="mandate-later">${later}</li>
<li id="mandate-end" data-testid="mandate-end">${end}</li>
</ul>
</section>`
}

/** The page never shows what is entered here, because its address is public. */
const customerForm = ({
  words: { subscribe },
}: Reader): Html => html`<form class="account" id="customer-form" data-testid="customer-form" hidden data-script-only>
<label for="email">${subscribe.email}</label>
<div class="account-row">
<input id="email" data-testid="email" type="email" autocomplete="email" required>
<button type="submit" class="copy" data-testid="say-who">${subscribe.continue}</button>
</div>
<p class="problem" id="customer-error" data-testid="customer-error" role="alert" hidden></p>
</form>`

/** For a wallet elsewhere: its owner names the account that signs the transaction. */
const accountForm = ({
  words: { subscribe, pay },
}: Reader): Html => html`<details class="details" data-testid="elsewhere">
<summary>${subscribe.elsewhere}</summary>
<form class="account" id="subscriber-form" hidden data-script-only>
<label for="subscriber">${pay.account}</label>
<div class="account-row">
<input id="subscriber" data-testid="subscriber" autocomplete="off" autocapitalize="characters" spellcheck="false" dir="ltr" placeholder="G&hellip;" required>
<button type="submit" class="copy" data-testid="prepare">${subscribe.prepare}</button>
</div>
<p class="problem" id="subscriber-error" data-testid="subscriber-error" role="alert" hidden></p>
<div class="sign" id="sign" hidden>
<a class="button" id="sign-link" data-testid="sign-link" href="#">${pay.signInWallet}</a>
<p class="quiet" id="sign-note"></p>
</div>
</form>
</details>`

const signing = (page: CheckoutPage): Html => {
  const { subscribe } = page.reader.words
  const isAgain = page.kind === 'authorization'
  const wallets =
    page.isSandbox && page.sandbox !== null
      ? sandboxWallet(page, isAgain ? subscribe.signWithSandboxWallet : subscribe.withSandboxWallet)
      : html`${ownWallet(page, isAgain ? subscribe.signWithWallet : subscribe.withWallet)}${accountForm(page.reader)}`
  return html`<div class="signing" id="signing" data-testid="signing">${wallets}</div>`
}

/** How to subscribe: the terms, the subscriber and the wallet. Signing needs the script. */
export const subscriptionPanel = (page: CheckoutPage, mandate: Mandate | null): Html => html`${
  mandate === null
    ? noQuote(page)
    : html`<div class="instructions">
${terms(page.reader, mandate)}
${page.needsCustomer ? customerForm(page.reader) : signing(page)}
<p class="problem" id="quote-problem" data-testid="quote-problem" role="alert" hidden></p>
</div>`
}
${deadline(page)}
<noscript><p class="notice">${page.reader.words.checkout.signatureWithoutScript}</p></noscript>`
