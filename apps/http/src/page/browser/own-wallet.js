import { byId, show, write } from './dom.js'
import { words } from './script-words.ts'

/** @import { Api } from './api.ts' */
/** @import { Choice, PageQuote } from './wire.ts' */
/** @import { OwnWalletData } from './wallet/own/panel.js' */

/**
 * Makes the button of the payer's own wallet work. Nothing of wallets is loaded before it is pressed. Answers what pays with
 * another asset of the connected account; it answers false for every other account.
 * @param {OwnWalletData} data
 * @param {Api} api
 * @param {() => Promise<PageQuote>} currentQuote
 */
export const enableOwnWallet = (data, api, currentQuote) => {
  const button = byId('pay-with-wallet')
  const others = byId('other-assets')
  /** @type {Awaited<ReturnType<typeof load>> | null} */
  let panel = null

  const load = async () => {
    const { openPanel } = await import('./wallet/own/panel.js')
    return openPanel({
      data,
      api,
      currentQuote,
      onAccount: (address) => {
        const input = byId('account')
        if (input instanceof HTMLInputElement) input.value = address
      },
      onOtherAsset: () => {
        if (!(others instanceof HTMLDetailsElement)) return
        others.open = true
        others.scrollIntoView({ block: 'start' })
        const form = byId('account-form')
        if (form instanceof HTMLFormElement) form.requestSubmit()
      },
    })
  }

  const open = async () => {
    button?.setAttribute('aria-expanded', 'true')
    show('wallet-panel', true)
    try {
      panel ??= await load()
      await panel.list()
    } catch {
      write('wallet-note', words.noWallets)
    }
  }
  button?.addEventListener('click', () => void open())

  /** @param {string} account @param {Choice} choice */
  return async (account, choice) => (panel === null ? false : panel.payFrom(account, choice))
}
