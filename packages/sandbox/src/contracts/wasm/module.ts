import { hexOf } from '../../network.ts'
import { hostError } from '../host-error.ts'
import type { HostFunctions } from './host-function.ts'
import { ledgerFunctions } from './ledger-functions.ts'
import { valueFunctions } from './value-functions.ts'

export const hostFunctions: HostFunctions = { ...valueFunctions, ...ledgerFunctions }

const compiled = new Map<string, WebAssembly.Module>()

const compile = (code: Uint8Array): WebAssembly.Module => {
  try {
    return new WebAssembly.Module(code)
  } catch {
    throw hostError('wasmVm', 'invalidAction', 'this is no WebAssembly')
  }
}

/**
 * Compiles code once per hash. Only listed hashes run, since this runtime accepts modules that the network rejects and
 * does not meter them. Unknown imports fail here, not when they are called.
 */
export const moduleOf = (code: Uint8Array, hash: Uint8Array, executables: ReadonlySet<string>): WebAssembly.Module => {
  const hex = hexOf(hash)
  if (!executables.has(hex)) throw hostError('wasmVm', 'invalidAction', `code that is not run here: ${hex}`)
  const known = compiled.get(hex)
  if (known !== undefined) return known
  const module = compile(code)
  for (const { module: group, name, kind } of WebAssembly.Module.imports(module))
    if (kind !== 'function' || hostFunctions[`${group}.${name}`] === undefined)
      throw hostError('wasmVm', 'invalidAction', `unknown import ${group}.${name}`)
  compiled.set(hex, module)
  return module
}
