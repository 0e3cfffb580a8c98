import type { CheckoutPage } from './checkout-page.ts'
import { type Html, html } from './html.ts'
import type { Reader } from './reader.ts'

/** Only the payer knows their account, and the page does not store it. The sandbox's wallet is known already. */
const accountForm = ({ words: { pay } }: Reader): Html => html`<form class="account" id="account-form">
<label for="account">${pay.account}</label>
<div class="account-row">
<input id="account" data-testid="account" autocomplete="off" autocapitalize="characters" spellcheck="false" dir="ltr" placeholder="G&hellip;" required>
<button type="submit" class="copy" data-testid="show-assets">${pay.showAssets}</button>
</div>
</form>`

const signLink = ({ words: { pay } }: Reader): Html => html`<div class="sign" id="sign" hidden>
<a class="button" id="sign-link" data-testid="sign-link" href="#">${pay.signInWallet}</a>
<p class="quiet" id="sign-note"></p>
</div>`

/** Other ways to pay, with what the payer's account holds. Folded, because most payers use the quoted asset. */
export const otherAssets = ({ takesOtherAssets, isSandbox, reader }: CheckoutPage): Html | null =>
  takesOtherAssets
    ? html`<details class="details" id="other-assets" data-testid="other-assets" hidden data-script-only>
<summary>${reader.words.pay.otherAsset}</summary>
${isSandbox ? null : accountForm(reader)}
<p class="quiet" id="assets-note" data-testid="assets-note" role="status"></p>
<ul class="choices" id="asset-choices" data-testid="asset-choices"></ul>
<p class="problem" id="assets-error" data-testid="assets-error" role="alert" hidden></p>
${isSandbox ? null : signLink(reader)}
</details>`
    : null
