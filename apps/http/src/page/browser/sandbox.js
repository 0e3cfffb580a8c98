import { Unanswered } from './api.ts'
import { byId, show, write } from './dom.js'
import { words } from './script-words.ts'
import { showMandate } from './view.js'

/** @import { Api } from './api.ts' */
/** @import { Mandate } from './mandate.ts' */
/** @import { Choice, PageQuote } from './wire.ts' */
/** @import { WalletStep } from './wallet/steps.ts' */
/** @import { StellarSdk } from './wallet/sdk.ts' */

/**
 * @typedef {{ rpcUrl: string, friendbotUrl: string, networkPassphrase: string, sdkScript: string }} SandboxData
 */

/** @param {number} ms @returns {Promise<void>} */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Reads the global that the bundle sets. @param {string} path @returns {Promise<StellarSdk>} */
const loadSdk = async (path) => {
  await import(path)
  return Reflect.get(globalThis, 'StellarSdk')
}

/** A private window may refuse to store anything: the wallet then lives as long as the page. */
const secrets = (() => {
  /** @type {Map<string, string>} */
  const kept = new Map()
  return {
    /** @param {string} key */
    getItem: (key) => {
      try {
        return localStorage.getItem(key) ?? kept.get(key) ?? null
      } catch {
        return kept.get(key) ?? null
      }
    },
    /** @param {string} key @param {string} value */
    setItem: (key, value) => {
      kept.set(key, value)
      try {
        localStorage.setItem(key, value)
      } catch {
        // Kept for this page only.
      }
    },
  }
})()

/** @param {WalletStep | 'all'} reached @param {'active' | 'failed'} state */
const markSteps = (reached, state) => {
  const steps = [...document.querySelectorAll('#sandbox-steps [data-step]')]
  const at = reached === 'all' ? steps.length : steps.findIndex((step) => step.getAttribute('data-step') === reached)
  for (const [index, step] of steps.entries()) {
    step.setAttribute('data-state', index < at ? 'done' : index === at ? state : 'waiting')
  }
  if (state === 'active') write('sandbox-progress', steps[at]?.textContent ?? words.sandboxPaid)
}

/**
 * Makes the button of the sandbox wallet work. Answers the wallet, to pay with another asset from it, and a function
 * that asks the sandbox's ledger for its time, in milliseconds since 1970.
 * @param {SandboxData} sandbox
 * @param {Api} api
 * @param {() => Promise<PageQuote>} currentQuote
 */
export const enableSandboxWallet = (sandbox, api, currentQuote) => {
  const button = byId('pay-with-sandbox-wallet')

  const openTools = async () => {
    const [{ createRpc }, sdk] = await Promise.all([import('./wallet/rpc.ts'), loadSdk(sandbox.sdkScript)])
    const { friendbotUrl, networkPassphrase } = sandbox
    return { sdk, rpc: createRpc(sandbox.rpcUrl, fetch), fetch, pause, friendbotUrl, networkPassphrase }
  }

  const account = async () => {
    const [wallet, tools] = await Promise.all([import('./wallet/pay.ts'), openTools()])
    return wallet.openAccount(tools, secrets)
  }

  /** @type {Mandate | null} */
  let agreed = null

  /** @param {Choice | null} choice */
  const pay = async (choice) => {
    if (button === null || button.ariaDisabled === 'true') return
    const reached = { step: /** @type {WalletStep} */ ('wallet') }
    // Not `disabled`, which would remove the keyboard focus.
    button.ariaDisabled = 'true'
    show('sandbox-error', false)
    show('sandbox-steps', true)
    markSteps(reached.step, 'active')
    try {
      const [wallet, tools] = await Promise.all([import('./wallet/pay.ts'), openTools()])
      /** @param {WalletStep} step */
      const onStep = (step) => {
        reached.step = step
        markSteps(step, 'active')
      }
      /** @param {Mandate} mandate */
      const onMandate = (mandate) => {
        agreed = mandate
        showMandate(mandate)
      }
      await wallet.payWithSandboxWallet({ tools, api, secrets, currentQuote, choice, agreed, onStep, onMandate })
      markSteps('all', 'active')
    } catch (cause) {
      const { step } = reached
      markSteps(step, 'failed')
      write('sandbox-error', cause instanceof Error ? cause.message : String(cause))
      show('sandbox-error', true)
      // The payment may still arrive, so paying again must not be one click away.
      const mayArrive = cause instanceof Unanswered && (step === 'submission' || step === 'ledger')
      if (!mayArrive) button.ariaDisabled = null
    }
  }
  button?.addEventListener('click', () => void pay(null))

  const ledgerTime = async () => {
    const { createRpc, ledgerCloseTime } = await import('./wallet/rpc.ts')
    return (await ledgerCloseTime(createRpc(sandbox.rpcUrl, fetch))) * 1_000
  }
  return { account, pay, ledgerTime }
}
