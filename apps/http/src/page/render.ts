import { hasWallets, sdkScript, walletConnectScript, walletScripts } from './assets.ts'
import { readMandate } from './browser/mandate.ts'
import { assetCode } from './browser/words.ts'
import { type CheckoutPage, isSigned } from './checkout-page.ts'
import { html, jsonHtml, trustedHtml } from './html.ts'
import { documentOf } from './layout.ts'
import { outcomePanels } from './outcome-panels.ts'
import { lead } from './panel-parts.ts'
import { paymentPanel } from './payment-panel.ts'
import { renderQr } from './qr.ts'
import { sellerDetails, termsLine } from './seller.ts'
import { subscriptionPanel } from './subscription-panel.ts'
import { summary } from './summary.ts'

const walletConnect = ({ walletConnect: relay, merchantName: name }: CheckoutPage) =>
  relay === null || walletConnectScript === null ? null : { ...relay, name, script: walletConnectScript }

/** The data for the page's script; it reads or requests the rest. */
const scriptData = (page: CheckoutPage) => ({
  checkoutId: page.checkoutId,
  status: page.status,
  now: page.now,
  redirectUrl: page.redirectUrl,
  merchantName: page.merchantName,
  assetCode: page.quote === null ? '' : assetCode(page.quote.asset_id),
  assetId: page.quote?.asset_id ?? '',
  amountReceived: page.quote?.amount_received ?? null,
  hasQuote: page.quote !== null,
  kind: page.kind,
  mandate: page.quote?.mandate ?? null,
  ownWallet:
    page.isSandbox || page.quote === null || !hasWallets
      ? null
      : {
          networkPassphrase: page.quote.network_passphrase,
          assetCode: assetCode(page.quote.asset_id),
          ...walletScripts,
          sdkScript,
          walletConnect: walletConnect(page),
        },
  sandbox: page.isSandbox && page.sandbox !== null ? { ...page.sandbox, sdkScript } : null,
})

const firstLine = ({ status, quote, kind, isPaused, reader: { script } }: CheckoutPage): string => {
  if (status !== 'open' || quote !== null) return script.statuses[kind][status]
  return isPaused ? script.paused : script.noPrice
}

/**
 * The hosted checkout as a complete document. It works without its script: amount, address, memo and QR code are in it.
 */
export const renderCheckoutPage = async (page: CheckoutPage): Promise<string> => {
  const uri = page.quote?.sep7_uri ?? null
  const qr = uri === null ? null : await renderQr(uri)
  const mandate = readMandate(page.quote?.mandate ?? null)
  const panel = isSigned(page) ? subscriptionPanel(page, mandate) : paymentPanel(page, qr)
  const words = page.reader.words.checkout
  const body = html`<div class="page">
${summary(page)}
<main class="card" id="checkout" tabindex="-1" data-testid="checkout" data-status="${page.status}">
<div class="status"><span class="status-mark" aria-hidden="true"></span><p role="status" id="status" data-testid="status" data-status="${page.status}">${firstLine(page)}</p></div>
<p class="problem" id="connection" data-testid="connection" role="alert" hidden>${words.connection}</p>
<div data-panel="open"${trustedHtml(page.status === 'open' ? '' : ' hidden')}>${lead(page)}${termsLine(page)}${panel}</div>
${outcomePanels(page)}
</main>
<footer class="quiet">${sellerDetails(page.reader, page.seller)}${words.footer}</footer>
</div>
<script type="application/json" id="checkout-data">${jsonHtml(scriptData(page))}</script>`
  return documentOf(page.reader, `${page.productName ?? words.title} · ${page.merchantName}`, body, { hasScript: true })
}
