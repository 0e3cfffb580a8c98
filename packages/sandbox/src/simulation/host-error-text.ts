import { Address, StrKey, scValToNative, type xdr } from '@stellar/stellar-sdk'

const nameOf = (type: string, prefix: string): string => type.slice(prefix.length)

/** Formats an error as the network's host does: `Error(Contract, #9)`, `Error(Storage, MissingValue)`. */
const errorText = (error: xdr.ScError): string =>
  error.type === 'sceContract'
    ? `Error(Contract, #${error.contractCode})`
    : `Error(${nameOf(error.type, 'sce')}, ${nameOf(error.code.name, 'scec')})`

const valueText = (value: xdr.ScVal): string => {
  if (value.type === 'scvError') return errorText(value.error)
  if (value.type === 'scvAddress') return Address.fromScAddress(value.address).toString()
  if (value.type === 'scvBytes') return `Bytes(${Buffer.from(value.bytes.value).toString('hex')})`
  if (value.type === 'scvVec') return `[${(value.vec ?? []).map(valueText).join(', ')}]`
  if (value.type === 'scvString') return JSON.stringify(scValToNative(value))
  if (value.type === 'scvMap')
    return `{${(value.map ?? []).map(({ key, val }) => `${valueText(key)}: ${valueText(val)}`).join(', ')}}`
  return String(scValToNative(value))
}

const eventText = ({ event: { type, contractId, body } }: xdr.DiagnosticEvent): string => {
  const kind = type.name === 'diagnostic' ? 'Diagnostic' : type.name === 'contract' ? 'Contract' : 'System'
  const contract = contractId === null ? '' : `contract:${StrKey.encodeContract(contractId.value)}, `
  const topics = body.v0.topics.map(valueText).join(', ')
  return `[${kind} Event] ${contract}topics:[${topics}], data:${valueText(body.v0.data)}`
}

/** The error of a failed simulation as a node reports it, with the preceding events, newest first. */
export const hostErrorText = (error: xdr.ScError, events: ReadonlyArray<xdr.DiagnosticEvent>): string => {
  const log = events.toReversed().map((each, at) => `\n   ${at}: ${eventText(each)}`)
  return `HostError: ${errorText(error)}\n\nEvent log (newest first):${log.join('')}\n`
}
