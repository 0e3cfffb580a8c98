import { hasWallets } from './assets.ts'
import { ownSteps } from './browser/wallet/own/steps.ts'
import type { CheckoutPage } from './checkout-page.ts'
import { type Html, html } from './html.ts'

/**
 * The button of the payer's own wallet, and what it opens; null in the sandbox, whose network no wallet knows, and where
 * the wallets are not bundled. The script fills it.
 */
export const ownWallet = ({ isSandbox, reader }: CheckoutPage, label: string): Html | null => {
  if (isSandbox || !hasWallets) return null
  const { pay } = reader.words
  return html`<section class="own-wallet" id="own-wallet" hidden data-script-only aria-label="${pay.yourWallet}">
<button type="button" class="button" id="pay-with-wallet" data-testid="pay-with-wallet" aria-expanded="false" aria-controls="wallet-panel">${label}</button>
<div class="wallet-panel" id="wallet-panel" data-testid="wallet-panel" hidden>
<p class="quiet" id="wallet-note" data-testid="wallet-note" role="status"></p>
<div id="wallet-list" hidden>
<ul class="choices" id="wallet-choices" data-testid="wallet-choices"></ul>
<details class="details" id="wallet-others" hidden>
<summary>${pay.otherWallets}</summary>
<ul class="offers" id="wallet-offers" data-testid="wallet-offers"></ul>
</details>
</div>
<ol class="steps" id="wallet-steps" data-testid="wallet-steps" hidden>
${ownSteps.map((step) => html`<li data-step="${step}">${reader.wallet.ownSteps[step]}</li>`)}
</ol>
<div class="pairing" id="wallet-pairing" data-testid="wallet-pairing" hidden>
<div class="qr" id="pairing-qr" role="img" aria-label="${reader.wallet.pairing.code}"></div>
<p class="quiet">${reader.wallet.pairing.scan}</p>
<a class="button button-secondary" id="pairing-link" data-testid="pairing-link">${pay.openWallet}</a>
</div>
<button type="button" class="button" id="wallet-continue" data-testid="wallet-continue" hidden></button>
<button type="button" class="copy" id="wallet-stop" data-testid="wallet-stop" hidden>${pay.stopWaiting}</button>
<div class="trouble" id="wallet-trouble" data-testid="wallet-trouble" role="alert" tabindex="-1" hidden>
<h2 id="trouble-title" data-testid="trouble-title"></h2>
<p id="trouble-text" data-testid="trouble-text"></p>
<div class="actions" id="trouble-actions"></div>
</div>
</div>
</section>`
}
