import { localAmount } from './amounts.ts'
import { Refused } from './api.ts'
import { shownChoice } from './choices.ts'
import { byId, show, write } from './dom.js'
import { words } from './script-words.ts'
import { timeOfDay } from './time.ts'
import { readAssets, readProposal } from './wire.ts'
import { assetCode } from './words.ts'

/** @import { Api } from './api.ts' */
/** @import { ShownChoice } from './choices.ts' */
/** @import { Choice } from './wire.ts' */

/**
 * @typedef {object} Payer
 * @property {() => Promise<string>} account
 * @property {(choice: Choice) => Promise<void>} pay rejects with what the payer should read; may say it itself
 */

/** @param {string} className @param {string} text */
const part = (className, text) => {
  const element = document.createElement('span')
  element.className = className
  element.textContent = text
  return element
}

/** @param {ShownChoice} shown @param {(choice: Choice) => void} onChoose */
const choiceItem = ({ code, most, note, choice }, onChoose) => {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'choice'
  button.dataset.testid = `pay-with-${code}`
  if (choice === null) button.ariaDisabled = 'true'
  button.append(part('choice-code', code), part('choice-most', most), part('choice-note', note))
  button.addEventListener('click', () => {
    if (choice !== null) onChoose(choice)
  })
  const item = document.createElement('li')
  item.append(button)
  return item
}

/**
 * Lists what the payer's account holds and what each would take, and pays with the one that is chosen. `list` looks
 * again, by prices as they are now.
 * @param {Api} api
 * @param {string} settledIn
 * @param {Payer} payer
 */
const assetList = (api, settledIn, payer) => {
  /** @param {unknown} cause */
  const complain = (cause) => {
    write('assets-note', '')
    write('assets-error', cause instanceof Error ? cause.message : String(cause))
    show('assets-error', true)
  }

  let isPaying = false
  /** @param {Choice} choice */
  const choose = async (choice) => {
    if (isPaying) return
    isPaying = true
    show('assets-error', false)
    try {
      await payer.pay(choice)
    } catch (cause) {
      complain(cause)
    }
    isPaying = false
  }

  const list = async () => {
    show('assets-error', false)
    write('assets-note', words.assets.looking)
    byId('asset-choices')?.replaceChildren()
    try {
      const found = readAssets(await api.get(`/assets?account=${encodeURIComponent(await payer.account())}`))
      const items = found.map((each) => choiceItem(shownChoice(each, settledIn), (choice) => void choose(choice)))
      byId('asset-choices')?.replaceChildren(...items)
      write('assets-note', items.length === 0 ? words.assets.none : '')
    } catch (cause) {
      complain(cause)
    }
  }
  return list
}

/** @param {Api} api @param {string} settledIn @param {Payer} wallet whose assets are shown as soon as it is asked for them */
export const offerAssetsOfWallet = (api, settledIn, wallet) => {
  const list = assetList(api, settledIn, wallet)
  const details = byId('other-assets')
  details?.addEventListener('toggle', () => {
    if (details instanceof HTMLDetailsElement && details.open) void list()
  })
}

/**
 * For an account that the payer names. What they choose is signed at once by the wallet of that account if it is connected
 * (`payFrom` answers true); else it becomes a transaction for a wallet elsewhere.
 * @param {Api} api
 * @param {string} settledIn
 * @param {(account: string, choice: Choice) => Promise<boolean>} payFrom
 */
export const offerAssetsOfAccount = (api, settledIn, payFrom) => {
  const input = byId('account')
  const account = async () => (input instanceof HTMLInputElement ? input.value.trim() : '')
  const list = assetList(api, settledIn, {
    account,
    pay: async ({ assetId, sendMax }) => {
      if (await payFrom(await account(), { assetId, sendMax })) return
      const body = { source_account: await account(), send_asset: assetId, send_max: sendMax }
      const proposal = readProposal(await api.post('/transaction', body))
      if (proposal === null) throw new Refused(words.sign.noTransaction)
      const until = timeOfDay(words.dates, Date.parse(proposal.expiresAt))
      const amount = `${localAmount(words.decimalSign, proposal.sendMax ?? sendMax)} ${assetCode(assetId)}`
      const most = proposal.sendMax === null ? amount : words.assets.most(amount)
      byId('sign-link')?.setAttribute('href', proposal.sep7Uri)
      write('sign-note', words.sign.sends(most, until))
      show('sign', true)
      byId('sign-link')?.focus()
    },
  })
  byId('account-form')?.addEventListener('submit', (event) => {
    event.preventDefault()
    show('sign', false)
    void list()
  })
}
