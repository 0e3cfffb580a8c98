export { keyHashOf } from '../ledger/entry-keys.ts'
export { defaultPassphrase } from '../network.ts'
export { rpcHandler } from '../rpc/index.ts'
export { storeIn } from '../store/index.ts'
