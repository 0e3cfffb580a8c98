import { Customer, type CustomerEvent, CustomerMerges } from '@quittance/domain'
import { namedStatus, type Told, tellerOf } from '../told.ts'
import { short } from '../words.ts'

/** Profiles are sealed, and stay so: no entry holds a name, so none is left of an erased customer. */
const words = (event: CustomerEvent): Told => {
  switch (event.type) {
    case 'CustomerCreated':
      return { what: 'Customer created' }
    case 'CustomerUpdated': {
      const { profile, emailHash, phoneHash } = event.data
      const changed = [
        ...(profile === undefined ? [] : ['profile']),
        ...(emailHash === undefined ? [] : ['email']),
        ...(phoneHash === undefined ? [] : ['phone number']),
      ]
      return { what: changed.length === 0 ? 'Customer updated' : `Customer updated: ${changed.join(', ')}` }
    }
    case 'WalletLinked':
      return {
        what: `Wallet ${short(event.data.address)} linked`,
        why: event.data.via === 'payment' ? 'it has paid for the customer' : 'its owner has signed a challenge',
        names: [event.data.walletId],
      }
    case 'WalletProven':
      return { what: 'Wallet proven', why: 'its owner has signed a challenge', names: [event.data.walletId] }
    case 'WalletUnlinked':
      return { what: 'Wallet removed', names: [event.data.walletId] }
    case 'CustomerDeleted':
      return { what: 'Customer erased: nobody can read their data any more' }
    case 'EmailForfeited':
      return { what: 'An email address was left to another customer', why: 'this customer did not hold it' }
  }
}

export const customerTeller = tellerOf(Customer, words, namedStatus)

export const customerMergesTeller = tellerOf(
  CustomerMerges,
  ({ data }): Told => ({
    what: `Customer ${data.from} is the same person as ${data.into} from now on`,
    why: data.reason,
    names: [data.from, data.into],
  }),
  () => null,
)
