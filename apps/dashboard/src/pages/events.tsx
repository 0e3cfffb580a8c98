import { type Event, EventType } from '@quittance/client/wire'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { words } from '../messages/index.ts'
import { api } from '../service/client.ts'
import { useLoaded } from '../service/loaded.ts'
import { ActionButton } from '../ui/action.tsx'
import { Choice, Field } from '../ui/field.tsx'
import { Page } from '../ui/page.tsx'
import { Time } from '../ui/small.tsx'
import { Empty, Shown } from '../ui/states.tsx'

const atOnce = 50
const types = [EventType.schema.enum].flat().map(String)
const isType = (text: string | undefined): text is Event['type'] => EventType.is(text)

/** The feed as programs read it: oldest first. */
export const Events = () => {
  const { query, route } = useLocation()
  const { places, events, lists } = words.value
  const filters = {
    ...(isType(query.type) ? { type: query.type } : {}),
    ...(query.resource_id ? { resource_id: query.resource_id } : {}),
  }
  return (
    <Page title={places.events} intro={events.intro}>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault()
          const fields = [...new FormData(event.currentTarget)].filter(([, value]) => value !== '')
          route(`/dashboard/events?${new URLSearchParams(fields.map(([name, value]) => [name, String(value)]))}`)
        }}
      >
        <Choice
          label={events.type}
          name="type"
          value={query.type ?? ''}
          of={[['', lists.all], ...types.map((each) => [each, each] as const)]}
        />
        <Field label={events.resource} name="resource_id" type="search" value={query.resource_id ?? ''} />
        <button type="submit" class="plain">
          {lists.filter}
        </button>
      </form>
      <Feed key={JSON.stringify(filters)} filters={filters} />
    </Page>
  )
}

const Feed = ({ filters }: { readonly filters: { readonly type?: Event['type']; readonly resource_id?: string } }) => {
  const { events, timeline } = words.value
  const first = useLoaded(() => api.events.list({ ...filters, limit: atOnce }).page())
  const [more, setMore] = useState<ReadonlyArray<Event>>([])
  const [hasMore, setHasMore] = useState(true)
  return (
    <Shown of={first}>
      {({ data, has_more }) => {
        const all = [...data, ...more]
        const last = all.at(-1)
        if (last === undefined) return <Empty title={events.none} text={events.noneText} />
        return (
          <>
            <ol class="timeline">
              {all.map((event) => (
                <li key={event.id}>
                  <p class="what">
                    <code>{event.type}</code>
                  </p>
                  <p class="quiet small-text">
                    <Time at={event.timestamp} /> · <code>{event.resource_id}</code>
                  </p>
                  <details>
                    <summary>{timeline.details}</summary>
                    <pre>{JSON.stringify(event, null, 2)}</pre>
                  </details>
                </li>
              ))}
            </ol>
            {has_more && hasMore && (
              <ActionButton
                does={async () => {
                  const page = await api.events.list({ ...filters, limit: atOnce, after: last.id }).page()
                  setMore([...more, ...page.data])
                  setHasMore(page.has_more)
                }}
              >
                {timeline.more}
              </ActionButton>
            )}
          </>
        )
      }}
    </Shown>
  )
}
