import { Refused } from './api.ts'
import { byId, show, write } from './dom.js'
import { changeNote, isSameMandate } from './mandate.ts'
import { words } from './script-words.ts'
import { timeOfDay } from './time.ts'
import { showMandate } from './view.js'
import { readProposal } from './wire.ts'

/** @import { Api } from './api.ts' */
/** @import { Mandate } from './mandate.ts' */

/** @param {string} id */
const entered = (id) => {
  const input = byId(id)
  return input instanceof HTMLInputElement ? input.value.trim() : ''
}

/** Does what a form asks for; what goes wrong is said beneath it. @param {string} form @param {string} error @param {() => Promise<void>} act */
const onSubmit = (form, error, act) => {
  let isBusy = false
  const submit = async () => {
    if (isBusy) return
    isBusy = true
    show(error, false)
    try {
      await act()
    } catch (cause) {
      write(error, cause instanceof Error ? cause.message : String(cause))
      show(error, true)
    }
    isBusy = false
  }
  byId(form)?.addEventListener('submit', (event) => {
    event.preventDefault()
    void submit()
  })
}

/** The page is loaded anew once it is known who subscribes: what is offered may depend on it. @param {Api} api */
export const askWhoSubscribes = (api) =>
  onSubmit('customer-form', 'customer-error', async () => {
    await api.post('/customer', { email: entered('email') })
    location.reload()
  })

/**
 * Asks for the mandate of the payer's own wallet, says what it is, and opens it there.
 * @param {Api} api
 * @param {Mandate | null} shown
 */
export const askForSignature = (api, shown) =>
  onSubmit('subscriber-form', 'subscriber-error', async () => {
    show('sign', false)
    const proposal = readProposal(await api.post('/transaction', { source_account: entered('subscriber') }))
    if (proposal === null || proposal.mandate === null) throw new Refused(words.sign.noMandate)
    showMandate(proposal.mandate)
    const until = timeOfDay(words.dates, Date.parse(proposal.expiresAt))
    byId('sign-link')?.setAttribute('href', proposal.sep7Uri)
    const change =
      shown === null || isSameMandate(shown, proposal.mandate) ? '' : changeNote(words, shown, proposal.mandate)
    write('sign-note', `${change} ${words.sign.until(until)}`.trim())
    show('sign', true)
    byId('sign-link')?.focus()
  })
