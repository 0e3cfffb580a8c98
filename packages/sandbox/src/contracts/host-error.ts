import { xdr } from '@stellar/stellar-sdk'

const kinds = {
  wasmVm: xdr.ScError.sceWasmVm,
  context: xdr.ScError.sceContext,
  storage: xdr.ScError.sceStorage,
  object: xdr.ScError.sceObject,
  crypto: xdr.ScError.sceCrypto,
  budget: xdr.ScError.sceBudget,
  value: xdr.ScError.sceValue,
  auth: xdr.ScError.sceAuth,
}

const codes = {
  arithDomain: xdr.ScErrorCode.scecArithDomain,
  indexBounds: xdr.ScErrorCode.scecIndexBounds,
  invalidInput: xdr.ScErrorCode.scecInvalidInput,
  missingValue: xdr.ScErrorCode.scecMissingValue,
  existingValue: xdr.ScErrorCode.scecExistingValue,
  exceededLimit: xdr.ScErrorCode.scecExceededLimit,
  invalidAction: xdr.ScErrorCode.scecInvalidAction,
  internalError: xdr.ScErrorCode.scecInternalError,
  unexpectedType: xdr.ScErrorCode.scecUnexpectedType,
  unexpectedSize: xdr.ScErrorCode.scecUnexpectedSize,
}

/**
 * A failed call, with the network's error. Thrown, since it must pass through WebAssembly frames; the message serves
 * diagnostics only.
 */
export class HostError extends Error {
  readonly error: xdr.ScError

  constructor(error: xdr.ScError, message: string) {
    super(message)
    this.error = error
  }
}

export const hostError = (kind: keyof typeof kinds, code: keyof typeof codes, message: string): HostError =>
  new HostError(kinds[kind](codes[code]), message)

/** A failure that the contract itself reports, by its own number. */
export const contractError = (number: number, message: string): HostError =>
  new HostError(xdr.ScError.sceContract(number), message)

/**
 * Whether a caller can continue after the error: not after internal errors, nor once the transaction exceeds a limit.
 */
export const isRecoverable = (error: xdr.ScError): boolean => {
  if (error.type === 'sceContract') return true
  if (error.code === codes.internalError) return false
  return !(error.code === codes.exceededLimit && (error.type === 'sceStorage' || error.type === 'sceBudget'))
}

/** Runs `run` and replaces its failure, unless the failure is unrecoverable. */
export const failingAs = <A>(replacement: HostError, run: () => A): A => {
  try {
    return run()
  } catch (caught) {
    throw caught instanceof HostError && isRecoverable(caught.error) ? replacement : caught
  }
}
