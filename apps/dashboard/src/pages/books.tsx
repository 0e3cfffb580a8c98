import type { JournalEntry } from '@quittance/client/wire'
import { useState } from 'preact/hooks'
import { amount, assetCode } from '../format.ts'
import { words } from '../messages/index.ts'
import { api } from '../service/client.ts'
import { useLoaded } from '../service/loaded.ts'
import { ActionButton } from '../ui/action.tsx'
import { csvOf, download } from '../ui/csv.ts'
import { Page, Section } from '../ui/page.tsx'
import { Status, Time } from '../ui/small.tsx'
import { Shown } from '../ui/states.tsx'

/** What is on the ledger beside what the books say, and the journal behind it. */
export const Books = () => {
  const ready = useLoaded(() => api.service.ready())
  const { places, books } = words.value
  return (
    <Page title={places.books} intro={books.intro}>
      <Shown of={ready}>
        {({ status }) => (
          <p class={`notice ${status === 'ready' ? 'good' : 'warn'}`}>
            {books.service} <Status of={status} /> {status === 'ready' ? books.readyText : books.notReadyText}
          </p>
        )}
      </Shown>
      <Balances />
      <Journal />
    </Page>
  )
}

const Balances = () => {
  const loaded = useLoaded(() => api.payouts.balance())
  const { books, fields } = words.value
  const columns = [
    [books.onLedger, 'ledger'],
    [books.available, 'available'],
    [books.held, 'held'],
    [books.inFlight, 'in_flight'],
  ] as const
  return (
    <Section title={books.balances}>
      <Shown of={loaded}>
        {(balances) => (
          <div class="table-frame card">
            <table class="records">
              <thead>
                <tr>
                  <th scope="col">{fields.asset}</th>
                  {columns.map(([title]) => (
                    <th key={title} scope="col" class="number">
                      {title}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {balances.map((balance) => (
                  <tr key={balance.asset_id}>
                    <td data-title={fields.asset}>{balance.code}</td>
                    {columns.map(([title, name]) => (
                      <td key={title} data-title={title} class="number">
                        {amount(balance[name])}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Shown>
    </Section>
  )
}

const unitOf = ({ asset_id, currency }: JournalEntry['postings'][number]): string =>
  asset_id === null ? (currency ?? '') : assetCode(asset_id)

const Journal = () => {
  const { books, timeline, lists } = words.value
  const first = useLoaded(() => api.reports.journal({ limit: 50 }).page())
  const [more, setMore] = useState<{
    readonly entries: ReadonlyArray<JournalEntry>
    readonly next: string | null
  } | null>(null)
  const exported = async () => {
    const rows: Array<ReadonlyArray<string>> = [['at', 'kind', 'subject', 'account', 'amount', 'unit', 'transaction']]
    for await (const { at, kind, subject, postings, transaction_hash } of api.reports.journal()) {
      for (const posting of postings) {
        rows.push([at, kind, subject, posting.account, posting.amount, unitOf(posting), transaction_hash ?? ''])
      }
    }
    download('journal.csv', csvOf(rows))
  }
  return (
    <Section title={books.journal} actions={<ActionButton does={exported}>{lists.export}</ActionButton>}>
      <Shown of={first}>
        {({ data, next }) => {
          const entries = [...data, ...(more?.entries ?? [])]
          const from = more === null ? next : more.next
          return (
            <>
              {entries.length === 0 && <p class="quiet">{books.noEntries}</p>}
              <ol class="timeline">
                {entries.map((entry) => (
                  <li key={entry.id}>
                    <p class="what">{books.kinds[entry.kind]}</p>
                    <p class="quiet small-text">
                      <Time at={entry.at} /> · <code>{entry.subject}</code>
                    </p>
                    <table class="postings">
                      <caption class="visually-hidden">{books.postings}</caption>
                      <tbody>
                        {entry.postings.map((posting) => (
                          <tr key={`${posting.account} ${posting.amount}`}>
                            <th scope="row">{posting.account}</th>
                            <td class="number">{amount(`${posting.amount} ${unitOf(posting)}`)}</td>
                          </tr>
                        ))}
                      </tbody>
                    </table>
                  </li>
                ))}
              </ol>
              {from !== null && (
                <ActionButton
                  does={async () => {
                    const page = await api.reports.journal({ limit: 50, starting_after: from }).page()
                    setMore({ entries: [...(more?.entries ?? []), ...page.data], next: page.next })
                  }}
                >
                  {timeline.more}
                </ActionButton>
              )}
            </>
          )
        }}
      </Shown>
    </Section>
  )
}
