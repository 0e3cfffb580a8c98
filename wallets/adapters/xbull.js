// Takes the place of `@creit.tech/xbull-wallet-connect`, whose licence (AGPL-3.0) does not suit ours. It speaks to the
// interface that the extension puts into the page (SEP-43).

const sdk = () => globalThis.xBullSDK

export const isInstalled = () => sdk() !== undefined

const answerOf = (answer) => {
  if (answer?.error) throw answer.error
  return answer
}

export class xBullWalletConnect {
  async connect() {
    return answerOf(await sdk().getAddress()).address
  }
  async sign({ xdr, publicKey, network }) {
    const opts = { networkPassphrase: network, address: publicKey }
    return answerOf(await sdk().signTransaction({ xdr, opts })).signedTxXdr
  }
  signMessage() {
    return Promise.reject(new Error('Messages are not signed here'))
  }
  closeConnections() {}
}
