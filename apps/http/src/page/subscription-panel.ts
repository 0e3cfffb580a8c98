import { type Mandate, mandateLines } from './browser/mandate.ts'
import type { CheckoutPage } from './checkout-page.ts'
import { type Html, html } from './html.ts'
import { ownWallet } from './own-wallet.ts'
import { deadline, noQuote, sandboxWallet } from './panel-parts.ts'

const terms = (mandate: Mandate): Html => {
  const { now, later, end } = mandateLines(mandate)
  return html`<section class="agreement" aria-labelledby="agreement-title">
<h2 id="agreement-title">What you agree to with one signature</h2>
<ul class="lines">
<li id="mandate-now" data-testid="mandate-now">${now}</li>
<li id="mandate-later" data-testid="mandate-later">${later}</li>
<li id="mandate-end" data-testid="mandate-end">${end}</li>
</ul>
</section>`
}

/** The page never shows what is entered here, because its address is public. */
const customerForm = html`<form class="account" id="customer-form" data-testid="customer-form" hidden data-script-only>
<label for="email">Your email</label>
<div class="account-row">
<input id="email" data-testid="email" type="email" autocomplete="email" required>
<button type="submit" class="copy" data-testid="say-who">Continue</button>
</div>
<p class="problem" id="customer-error" data-testid="customer-error" role="alert" hidden></p>
</form>`

/** For a wallet elsewhere: its owner names the account that signs the transaction. */
const accountForm = html`<details class="details" data-testid="elsewhere">
<summary>My wallet is elsewhere</summary>
<form class="account" id="subscriber-form" hidden data-script-only>
<label for="subscriber">Your Stellar account</label>
<div class="account-row">
<input id="subscriber" data-testid="subscriber" autocomplete="off" autocapitalize="characters" spellcheck="false" placeholder="G…" required>
<button type="submit" class="copy" data-testid="prepare">Prepare</button>
</div>
<p class="problem" id="subscriber-error" data-testid="subscriber-error" role="alert" hidden></p>
<div class="sign" id="sign" hidden>
<a class="button" id="sign-link" data-testid="sign-link" href="#">Sign in wallet</a>
<p class="quiet" id="sign-note"></p>
</div>
</form>
</details>`

const signing = (page: CheckoutPage): Html =>
  html`<div id="signing" data-testid="signing">${page.isSandbox && page.sandbox !== null ? sandboxWallet(page, page.kind === 'authorization' ? 'Sign with a sandbox wallet' : 'Subscribe with a sandbox wallet') : html`${ownWallet(page, page.kind === 'authorization' ? 'Sign with a wallet' : 'Subscribe with a wallet')}${accountForm}`}</div>`

/** How to subscribe: the terms, the subscriber and the wallet. Signing needs the script. */
export const subscriptionPanel = (page: CheckoutPage, mandate: Mandate | null): Html => html`${
  mandate === null
    ? noQuote(page)
    : html`<div class="instructions">
${terms(mandate)}
${page.needsCustomer ? customerForm : signing(page)}
<p class="problem" id="quote-problem" data-testid="quote-problem" role="alert" hidden></p>
</div>`
}
${deadline(page)}
<noscript><p class="notice">This page needs JavaScript: it asks for the transaction that your wallet signs.</p></noscript>`
