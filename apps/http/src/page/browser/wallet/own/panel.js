import { byId, show, write } from '../../dom.js'
import { showMandate } from '../../view.js'
import { walletWords } from '../wallet-words.ts'
import { ledger, listWallets, walletConnect } from './kit.ts'
import { element, walletItems } from './list.js'
import { addAsset, connect, payWithWallet } from './pay.ts'
import { Abandoned, troubleOf } from './trouble.ts'
import { troubleWords } from './words.ts'

/** @import { Api } from '../../api.ts' */
/** @import { Mandate } from '../../mandate.ts' */
/** @import { Choice, PageQuote } from '../../wire.ts' */
/** @import { StellarSdk } from '../sdk.ts' */
/** @import { LateWallet, ListedWallet, WalletModule } from './kit.ts' */
/** @import { ChosenWallet } from './pay.ts' */
/** @import { OwnStep } from './steps.ts' */
/** @import { Trouble } from './trouble.ts' */
/** @import { NextStep } from './words.ts' */

/**
 * @typedef {{ script: string, projectId: string, relayUrl: string, name: string }} WalletConnectData
 * @typedef {{ networkPassphrase: string, assetCode: string, kitScript: string, ledgerScript: string, sdkScript: string, walletConnect: WalletConnectData | null }} OwnWalletData
 * @typedef {{ data: OwnWalletData, api: Api, currentQuote: () => Promise<PageQuote>, onAccount: (address: string) => void, onOtherAsset: () => void }} Ports
 */

/** @param {number} ms @returns {Promise<void>} */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** @param {string} script @param {object} [options] @returns {Promise<ReadonlyArray<WalletModule>>} */
const modulesOf = async (script, options) => (await import(script)).modules(options)

/** What a wallet elsewhere has to scan; null hides it. @param {{ uri: string, qr: SVGElement } | null} pairing */
const showPairing = (pairing) => {
  show('wallet-pairing', pairing !== null)
  byId('pairing-qr')?.replaceChildren(...(pairing === null ? [] : [pairing.qr]))
  if (pairing !== null) byId('pairing-link')?.setAttribute('href', pairing.uri)
}

/** @param {OwnStep | 'all'} reached @param {'active' | 'failed'} state */
const markSteps = (reached, state) => {
  const steps = [...document.querySelectorAll('#wallet-steps [data-step]')]
  const at = reached === 'all' ? steps.length : steps.findIndex((step) => step.getAttribute('data-step') === reached)
  for (const [index, step] of steps.entries())
    step.setAttribute('data-state', index < at ? 'done' : index === at ? state : 'waiting')
  if (state === 'active') write('wallet-note', steps[at]?.textContent ?? walletWords.ownDone)
}

/**
 * Lists the wallets, and pays or signs with the one that is chosen. Everything that can go wrong ends in a state of its own,
 * which says what to do next.
 * @param {Ports} ports
 */
export const openPanel = ({ data, api, currentQuote, onAccount, onOtherAsset }) => {
  /** @type {ChosenWallet | null} */
  let wallet = null
  let address = ''
  /** @type {Choice | null} */
  let choice = null
  /** @type {Mandate | null} */
  let agreed = null
  /** @type {OwnStep} */
  let reached = 'wallet'
  let stopWaiting = () => {}

  /** @returns {Promise<StellarSdk>} */
  const loadSdk = async () => {
    await import(data.sdkScript)
    return Reflect.get(globalThis, 'StellarSdk')
  }

  const loadLedger = async () => {
    await loadSdk()
    const [module] = await modulesOf(data.ledgerScript)
    if (module === undefined) throw new Error(walletWords.list.noLedger)
    return module
  }

  /** @param {WalletConnectData} settings */
  const loadWalletConnect = async ({ script, ...settings }) => {
    const { networkPassphrase } = data
    const [module] = await modulesOf(script, { ...settings, networkPassphrase, onPairing: showPairing })
    if (module === undefined) throw new Error(walletWords.list.noWalletConnect)
    return module
  }

  /** @returns {ReadonlyArray<LateWallet>} */
  const late = () => {
    const settings = data.walletConnect
    return [
      ...('usb' in navigator ? [{ ...ledger, module: loadLedger }] : []),
      ...(settings === null ? [] : [{ ...walletConnect, module: () => loadWalletConnect(settings) }]),
    ]
  }

  /** Browsers open windows upon a press alone: later than that, the payer has to press again. @param {ChosenWallet} chosen */
  const pressed = ({ name, opensWindow }) => {
    if (!opensWindow || navigator.userActivation?.isActive !== false) return Promise.resolve()
    write('wallet-continue', walletWords.goOn(name))
    show('wallet-continue', true)
    const button = byId('wallet-continue')
    button?.focus()
    return /** @type {Promise<void>} */ (
      new Promise((resolve) => {
        button?.addEventListener(
          'click',
          () => {
            show('wallet-continue', false)
            resolve()
          },
          { once: true },
        )
      })
    )
  }

  /** @param {'list' | 'steps' | 'trouble'} view */
  const showView = (view) => {
    for (const each of ['list', 'steps', 'trouble'])
      show(`wallet-${each}`, each === view || (each === 'steps' && view === 'trouble'))
    show('wallet-stop', view === 'steps')
    show('wallet-continue', false)
    showPairing(null)
    // The steps show to the eye what the note tells to the ear.
    byId('wallet-note')?.classList.toggle('visually-hidden', view !== 'list')
  }

  const list = async () => {
    stopWaiting()
    void wallet?.module.close?.()
    wallet = null
    agreed = null
    showView('list')
    byId('wallet-choices')?.replaceChildren()
    show('wallet-others', false)
    write('wallet-note', walletWords.list.looking)
    const found = await listWallets(await modulesOf(data.kitScript), late(), data.networkPassphrase, pause)
    const { here, elsewhere } = walletItems(found, (chosen) => void choose(chosen))
    byId('wallet-choices')?.replaceChildren(...here)
    byId('wallet-offers')?.replaceChildren(...elsewhere)
    show('wallet-others', elsewhere.length > 0)
    const isAnyInstalled = found.some(({ isHere, reach }) => isHere && reach === 'extension')
    byId('wallet-others')?.toggleAttribute('open', !isAnyInstalled)
    write('wallet-note', isAnyInstalled ? walletWords.list.choose : walletWords.list.none)
  }

  /** @param {Trouble} trouble */
  const showTrouble = (trouble) => {
    const { title, text, next } = troubleWords(trouble, data.assetCode)
    markSteps(reached, 'failed')
    showView('trouble')
    write('wallet-note', '')
    write('trouble-title', title)
    write('trouble-text', text)
    byId('wallet-trouble')?.setAttribute('data-trouble', trouble._tag)
    if (trouble._tag === 'MandateChanged') showMandate(trouble.mandate)
    const steps = next.filter((step) => step !== 'other_asset' || byId('other-assets') !== null)
    byId('trouble-actions')?.replaceChildren(...steps.map((step, index) => action(step, index === 0, trouble)))
    byId('wallet-trouble')?.focus()
  }

  /** @param {NextStep} step @param {boolean} isFirst @param {Trouble} trouble */
  const action = (step, isFirst, trouble) => {
    const made = element(
      step === 'get_wallet' ? 'a' : 'button',
      isFirst ? 'button' : 'button button-secondary',
      walletWords.next[step],
    )
    made.dataset.testid = `next-${step}`
    if (made instanceof HTMLAnchorElement && trouble._tag === 'WalletMissing') {
      made.href = trouble.url
      made.target = '_blank'
      made.rel = 'noopener noreferrer'
      return made
    }
    if (made instanceof HTMLButtonElement) made.type = 'button'
    made.addEventListener('click', () => void take(step, trouble))
    return made
  }

  /** @param {NextStep} step @param {Trouble} trouble */
  const take = async (step, trouble) => {
    switch (step) {
      case 'retry':
        return run(pay)
      case 'agree':
        if (trouble._tag === 'MandateChanged') agreed = trouble.mandate
        return run(pay)
      case 'add_asset':
        return run(async (payment) => {
          await addAsset(payment, address)
          await pay(payment)
        })
      case 'other_wallet':
        return list()
      case 'other_asset':
        onOtherAsset()
        return
      case 'look_again':
        location.reload()
        return
      case 'get_wallet':
        return
    }
  }

  /** @param {(payment: Parameters<typeof payWithWallet>[0]) => Promise<void>} work */
  const run = async (work) => {
    const chosen = wallet
    if (chosen === null) return list()
    stopWaiting()
    /** @type {Promise<never>} */
    const abandoned = new Promise((_, reject) => {
      stopWaiting = () => reject(new Abandoned('The payer has stopped waiting'))
    })
    abandoned.catch(() => {})
    showView('steps')
    /** @param {OwnStep} step */
    const onStep = (step) => {
      reached = step
      markSteps(step, 'active')
      show('wallet-stop', step === 'wallet' || step === 'signature')
    }
    const { networkPassphrase } = data
    try {
      const sdk = await loadSdk()
      await work({
        wallet: chosen,
        sdk,
        api,
        pause,
        networkPassphrase,
        onStep,
        abandoned,
        currentQuote,
        pressed: () => pressed(chosen),
      })
      markSteps('all', 'active')
      show('wallet-stop', false)
      void chosen.module.close?.()
    } catch (cause) {
      if (cause instanceof Abandoned) return
      showTrouble(troubleOf(cause, address, reached === 'submission' || reached === 'ledger'))
    }
  }

  /** @param {Parameters<typeof payWithWallet>[0]} payment */
  const pay = async (payment) => {
    if (address === '') {
      address = await connect(payment)
      onAccount(address)
    }
    await payWithWallet(payment, address, choice, agreed)
  }

  /** @param {ListedWallet} listed */
  const choose = async (listed) => {
    address = ''
    choice = null
    reached = 'wallet'
    showView('steps')
    markSteps('wallet', 'active')
    try {
      wallet = {
        name: listed.name,
        url: listed.url,
        opensWindow: listed.reach === 'site',
        module: await listed.module(),
      }
    } catch (cause) {
      showTrouble(troubleOf(cause, '', false))
      return
    }
    await run(pay)
  }

  byId('wallet-stop')?.addEventListener('click', () => void list())
  return {
    list,
    /** Pays with another asset, if it was this account that was looked at. @param {string} account @param {Choice} chosen */
    payFrom: async (account, chosen) => {
      if (wallet === null || account !== address) return false
      choice = chosen
      byId('own-wallet')?.scrollIntoView({ block: 'start' })
      await run(pay)
      return true
    },
  }
}
