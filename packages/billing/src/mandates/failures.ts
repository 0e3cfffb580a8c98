/** Why the contract would not take a mandate of this wallet now. */
export type MandateUnfit = {
  readonly _tag: 'MandateUnfit'
  /** `exists`: this wallet has made one for this checkout that does not count. `refused`: whatever else. */
  readonly because: 'balance_too_low' | 'no_trustline' | 'frozen' | 'exists' | 'network_busy' | 'refused'
}

/** Nobody could collect for a subscription here: no contract is configured, or no account that charges was made. */
export type MandatesNotConfigured = { readonly _tag: 'MandatesNotConfigured' }
