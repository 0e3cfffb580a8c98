// Takes the place of `@lobstrco/signer-extension-api`, whose licence (GPL-3.0) does not suit ours. It exchanges messages
// with the extension’s script in the page; `messagedId` is the extension’s spelling.

const PROTOCOL_VERSION = 1
const CONNECTION_WITHIN_MS = 2_000

let connectionKey = ''

const ask = (message) =>
  new Promise((resolve) => {
    const messageId = Date.now() + Math.random()
    const hear = ({ source, data }) => {
      if (source !== window || data?.source !== 'LOBSTR_EXTERNAL_MSG_RESPONSE' || data.messagedId !== messageId) return
      window.removeEventListener('message', hear)
      resolve(data)
    }
    window.addEventListener('message', hear)
    const request = { source: 'LOBSTR_EXTERNAL_MSG_REQUEST', messageId, version: PROTOCOL_VERSION, ...message }
    window.postMessage(request, window.location.origin)
  })

const answerTo = async (message) => {
  const answer = await ask(message)
  if (answer.error) throw answer.error
  return answer
}

export const isConnected = async () => {
  if (window.lobstrSignerExtension) return true
  const silence = new Promise((resolve) => setTimeout(() => resolve({ isConnected: false }), CONNECTION_WITHIN_MS))
  return (await Promise.race([ask({ type: 'REQUEST_CONNECTION_STATUS' }), silence])).isConnected === true
}

export const getPublicKey = async () => {
  const answer = await answerTo({ type: 'REQUEST_ACCESS' })
  connectionKey = answer.connectionKey
  return answer.publicKey
}

export const signTransaction = async (xdr) =>
  (await answerTo({ type: 'SIGN', dataToSign: xdr, connectionKey, signType: 'transaction' })).signedData

export const signMessage = () => Promise.reject(new Error('Messages are not signed here'))
