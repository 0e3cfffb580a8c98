import { effect, signal } from '@preact/signals'

export type Network = 'testnet' | 'mainnet'

const kept = (name: string): string | null => localStorage.getItem(`quittance.${name}`)

/** The network whose records are shown. */
export const network = signal<Network>(kept('network') === 'mainnet' ? 'mainnet' : 'testnet')

/** The language of the pages. */
export type Language = 'en' | 'de'
const preferred = kept('language') ?? navigator.language
export const language = signal<Language>(preferred.startsWith('de') ? 'de' : 'en')

effect(() => localStorage.setItem('quittance.network', network.value))
effect(() => {
  localStorage.setItem('quittance.language', language.value)
  document.documentElement.lang = language.value
})
