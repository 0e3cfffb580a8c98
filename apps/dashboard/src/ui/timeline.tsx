import type { Listing } from '@quittance/client'
import type { HistoryEntry } from '@quittance/client/wire'
import { useEffect, useState } from 'preact/hooks'
import { amount } from '../format.ts'
import { words } from '../messages/index.ts'
import { useLoaded } from '../service/loaded.ts'
import { ActionButton } from './action.tsx'
import { Section } from './page.tsx'
import { Short, Status, Time } from './small.tsx'
import { Shown } from './states.tsx'

type History = (query: { readonly limit: number; readonly starting_after?: string }) => Listing<HistoryEntry>

const atOnce = 50

/** What happened to a resource, oldest first: the event, who caused it, its transaction on the ledger, and who was told. */
export const Timeline = ({ of, id }: { readonly of: History; readonly id: string }) => {
  const first = useLoaded(() => of({ limit: atOnce }).page(), id)
  const [more, setMore] = useState<ReadonlyArray<HistoryEntry>>([])
  const [isAll, setAll] = useState(false)
  useEffect(() => {
    setMore([])
    setAll(false)
  }, [id, first.state])
  const { timeline } = words.value
  return (
    <Section title={timeline.title}>
      <Shown of={first}>
        {({ data, has_more }) => {
          const entries = [...data, ...more]
          const last = entries.at(-1)
          return (
            <>
              <ol class="timeline" data-testid="timeline">
                {entries.map((entry) => (
                  <Entry key={entry.id} entry={entry} />
                ))}
              </ol>
              {has_more && !isAll && last !== undefined && (
                <ActionButton
                  does={async () => {
                    const page = await of({ limit: atOnce, starting_after: last.id }).page()
                    setMore([...more, ...page.data])
                    setAll(!page.has_more)
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

const Entry = ({ entry }: { readonly entry: HistoryEntry }) => {
  const { timeline } = words.value
  const actors: Readonly<Record<string, string>> = timeline.actors
  return (
    <li>
      <p class="what">{entry.what}</p>
      {entry.why !== null && <p class="quiet">{entry.why}</p>}
      <p class="quiet small-text">
        <Time at={entry.occurred_at} /> · {actors[entry.actor_type] ?? entry.actor_type} · <code>{entry.type}</code>
        {entry.amount !== null && <> · {amount(entry.amount)}</>}
      </p>
      {(entry.transaction_hash !== null || entry.deliveries.length > 0) && (
        <ul class="traces">
          {entry.transaction_hash !== null && (
            <li>
              {timeline.transaction} <Short of={entry.transaction_hash} />
              {entry.ledger !== null && (
                <>
                  {' '}
                  {timeline.ledger} {entry.ledger}
                </>
              )}
            </li>
          )}
          {entry.deliveries.map((each) => (
            <li key={each.id}>
              <a href={`/dashboard/webhooks/${each.webhook_id}`}>{each.event_type}</a> <Status of={each.status} />
            </li>
          ))}
        </ul>
      )}
      <details>
        <summary>{timeline.details}</summary>
        <dl class="small-facts">
          <div>
            <dt>{timeline.event}</dt>
            <dd>
              <code>{entry.id}</code>
            </dd>
          </div>
          <div>
            <dt>{timeline.command}</dt>
            <dd>
              <code>{entry.command_id}</code>
            </dd>
          </div>
          <div>
            <dt>{timeline.recorded}</dt>
            <dd>
              <Time at={entry.recorded_at} />
            </dd>
          </div>
          <div>
            <dt>{timeline.hash}</dt>
            <dd>
              <code>{entry.hash}</code>
            </dd>
          </div>
        </dl>
      </details>
    </li>
  )
}
