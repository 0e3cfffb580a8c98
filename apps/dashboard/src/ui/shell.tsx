import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { words } from '../messages/index.ts'
import { isInSandbox, isOwner, leave, visit } from '../service/session.ts'
import { language, network } from '../service/settings.ts'
import { ActionButton } from './action.tsx'
import { SandboxClock } from './sandbox-clock.tsx'

type Group = readonly [title: 'selling' | 'money' | 'developers' | 'business', links: ReadonlyArray<Place>]
type Place = keyof ReturnType<typeof placeNames>
const placeNames = () => words.value.places

const groups: ReadonlyArray<Group> = [
  ['selling', ['products', 'checkouts', 'customers', 'subscriptions']],
  ['money', ['payments', 'refunds', 'exceptions', 'payouts', 'approvals', 'books']],
  ['developers', ['keys', 'webhooks', 'events']],
  ['business', ['settlement', 'policies', 'team', 'account']],
]

/** The frame of all pages: where one is, where one may go, and for which network. */
export const Shell = ({ children }: { readonly children: ComponentChildren }) => {
  const { path } = useLocation()
  const [isOpen, setOpen] = useState(false)
  useEffect(() => setOpen(false), [path])
  const { shell, places } = words.value
  const current = (href: string) =>
    path === href || path.startsWith(`${href}/`) ? { 'aria-current': 'page' as const } : {}
  return (
    <div class={`shell ${network.value}`}>
      <a class="skip" href="#content">
        {shell.skip}
      </a>
      <header class="top">
        <button
          type="button"
          class="menu"
          aria-expanded={isOpen}
          aria-controls="places"
          onClick={() => setOpen(!isOpen)}
        >
          {shell.menu}
        </button>
        <a class="brand" href="/dashboard">
          {visit.value._tag === 'SignedIn' ? visit.value.session.merchant_name : words.value.product}
        </a>
        <NetworkSwitch />
      </header>
      <nav id="places" class={isOpen ? 'open' : ''} aria-label={shell.places}>
        <a
          href="/dashboard"
          {...(path === '/dashboard' || path === '/dashboard/' ? { 'aria-current': 'page' as const } : {})}
        >
          {places.home}
        </a>
        {groups.map(([title, links]) => (
          <div key={title} class="group">
            <p id={`group-${title}`}>{shell[title]}</p>
            <ul aria-labelledby={`group-${title}`}>
              {links
                .filter((place) => place !== 'team' || isOwner())
                .map((place) => (
                  <li key={place}>
                    <a href={`/dashboard/${place}`} {...current(`/dashboard/${place}`)}>
                      {places[place]}
                    </a>
                  </li>
                ))}
            </ul>
          </div>
        ))}
        <Visitor />
      </nav>
      <main id="content" tabIndex={-1}>
        {isInSandbox() && <SandboxClock />}
        {children}
      </main>
    </div>
  )
}

const NetworkSwitch = () => {
  if (visit.value._tag !== 'SignedIn' || visit.value.session.environments.length < 2) {
    return <span class="network">{words.value.networks[network.value]}</span>
  }
  return (
    <label class="network">
      <span class="visually-hidden">{words.value.shell.network}</span>
      <select
        value={network.value}
        onChange={({ currentTarget }) => {
          network.value = currentTarget.value === 'mainnet' ? 'mainnet' : 'testnet'
        }}
        data-testid="network"
      >
        <option value="testnet">{words.value.networks.testnet}</option>
        <option value="mainnet">{words.value.networks.mainnet}</option>
      </select>
    </label>
  )
}

export const LanguageSwitch = () => (
  <label class="language">
    <span class="visually-hidden">{words.value.shell.language}</span>
    <select
      value={language.value}
      onChange={({ currentTarget }) => {
        language.value = currentTarget.value === 'de' ? 'de' : 'en'
      }}
      data-testid="language"
    >
      <option value="en" lang="en">
        English
      </option>
      <option value="de" lang="de">
        Deutsch
      </option>
    </select>
  </label>
)

const Visitor = () => {
  if (visit.value._tag !== 'SignedIn') return null
  const { member } = visit.value.session
  const roles: Readonly<Record<string, string>> = words.value.roles
  return (
    <div class="visitor">
      <p>
        {member.name ?? member.email}
        <br />
        <span class="quiet">{roles[member.role] ?? member.role}</span>
      </p>
      <LanguageSwitch />
      <ActionButton does={leave} testId="sign-out">
        {words.value.shell.signOut}
      </ActionButton>
    </div>
  )
}
