import { LedgerModule } from '@creit.tech/stellar-wallets-kit/modules/ledger'

// The first account, as Ledger’s own software counts.
const path = "44'/148'/0'"

/** The hardware wallet. It shows what it signs (`nonBlindTx`), instead of a hash that nobody can read. */
class Ledger extends LedgerModule {
  getAddress() {
    return super.getAddress({ path })
  }
  signTransaction(xdr, options) {
    return super.signTransaction(xdr, { ...options, path, nonBlindTx: true })
  }
}

export const modules = () => [new Ledger()]
