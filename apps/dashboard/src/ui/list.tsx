import type { Listing, ListQuery } from '@quittance/client'
import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso/router'
import { words } from '../messages/index.ts'
import { useLoaded } from '../service/loaded.ts'
import { ActionButton } from './action.tsx'
import { csvOf, download } from './csv.ts'
import { Choice, Field } from './field.tsx'
import { Empty, Shown } from './states.tsx'

export type Column<A> = {
  readonly title: string
  readonly cell: (record: A) => ComponentChildren
  /** The same for a file; the cell itself where it is a text. */
  readonly csv: (record: A) => string
  readonly isNumber?: true
}

type Filter = { readonly name: string; readonly label: string; readonly of?: ReadonlyArray<readonly [string, string]> }

export type ListProps<A> = {
  readonly columns: ReadonlyArray<Column<A>>
  /** Where the list stands: its filters and its page are in the query of this path. */
  readonly path: string
  readonly filters?: ReadonlyArray<Filter>
  readonly load: (query: ListQuery & Readonly<Record<string, unknown>>) => Listing<A>
  readonly empty: { readonly title: string; readonly text: string; readonly action?: ComponentChildren }
  /** The name of the exported file, without its end. */
  readonly file: string
  readonly hasDates?: boolean
}

const pageSize = 20

/** A list with its filters, pages and export. All of them are in the address, so that it can be shared and gone back to. */
export const RecordList = <A extends { readonly id: string }>({
  columns,
  path,
  filters = [],
  load,
  empty,
  file,
  hasDates = true,
}: ListProps<A>) => {
  const { query, route } = useLocation()
  const { lists } = words.value
  const narrowing = filtersIn(query, filters, hasDates)
  const cursor = cursorIn(query)
  const loaded = useLoaded(() => load({ ...narrowing, ...cursor, limit: pageSize }).page(), JSON.stringify(query))
  const isNarrowed = Object.keys(narrowing).length > 0
  const goTo = (to: Readonly<Record<string, string>>) => {
    const kept = Object.fromEntries(Object.entries(query).filter(([name]) => !['after', 'before'].includes(name)))
    route(withQuery(path, { ...kept, ...to }))
  }
  const exported = async () => {
    const rows: Array<ReadonlyArray<string>> = [columns.map(({ title }) => title)]
    for await (const record of load(narrowing)) rows.push(columns.map(({ csv }) => csv(record)))
    download(`${file}.csv`, csvOf(rows))
  }
  return (
    <>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault()
          const fields = [...new FormData(event.currentTarget)].filter(([, value]) => value !== '')
          route(withQuery(path, Object.fromEntries(fields.map(([name, value]) => [name, String(value)]))))
        }}
      >
        {filters.map(({ name, label, of }) =>
          of === undefined ? (
            <Field key={name} name={name} label={label} value={query[name] ?? ''} type="search" />
          ) : (
            <Choice key={name} name={name} label={label} value={query[name] ?? ''} of={[['', lists.all], ...of]} />
          ),
        )}
        {hasDates && <Field name="from" label={lists.from} type="date" value={query.from ?? ''} />}
        {hasDates && <Field name="to" label={lists.to} type="date" value={query.to ?? ''} />}
        {(hasDates || filters.length > 0) && (
          <button type="submit" class="plain">
            {lists.filter}
          </button>
        )}
        <ActionButton does={exported} testId="export">
          {lists.export}
        </ActionButton>
      </form>
      <Shown of={loaded}>
        {({ data, has_more }) =>
          data.length === 0 ? (
            isNarrowed || cursor !== null ? (
              <Empty title={lists.noMatch} text={lists.noMatchText} />
            ) : (
              <Empty title={empty.title} text={empty.text}>
                {empty.action}
              </Empty>
            )
          ) : (
            <>
              <RecordTable columns={columns} records={data} />
              <nav class="pages" aria-label={lists.pages}>
                <button
                  type="button"
                  class="plain"
                  disabled={cursor === null || ('ending_before' in cursor && !has_more)}
                  onClick={() => goTo({ before: data[0]?.id ?? '' })}
                >
                  {lists.newer}
                </button>
                <button
                  type="button"
                  class="plain"
                  disabled={!has_more && !(cursor !== null && 'ending_before' in cursor)}
                  onClick={() => goTo({ after: data.at(-1)?.id ?? '' })}
                >
                  {lists.older}
                </button>
              </nav>
            </>
          )
        }
      </Shown>
    </>
  )
}

/** On a phone, each row becomes a block in which every cell names its column. */
export const RecordTable = <A extends { readonly id: string }>({
  columns,
  records,
}: {
  readonly columns: ReadonlyArray<Column<A>>
  readonly records: ReadonlyArray<A>
}) => (
  <div class="table-frame card">
    <table class="records">
      <thead>
        <tr>
          {columns.map(({ title, isNumber }) => (
            <th key={title} scope="col" class={isNumber && 'number'}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {records.map((record) => (
          <tr key={record.id} data-id={record.id}>
            {columns.map(({ title, cell, isNumber }) => (
              <td key={title} data-title={title} class={isNumber && 'number'}>
                {cell(record)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

type Query = Readonly<Record<string, string>>

const filtersIn = (query: Query, filters: ReadonlyArray<Filter>, hasDates: boolean) => {
  const given = filters.flatMap(({ name }) => {
    const value = query[name]
    return value === undefined || value === '' ? [] : [[name, value]]
  })
  const dayAfter = (date: string) => new Date(Date.parse(date) + 86_400_000)
  const created = {
    ...(query.from ? { gte: new Date(query.from) } : {}),
    ...(query.to ? { lt: dayAfter(query.to) } : {}),
  }
  return {
    ...Object.fromEntries(given),
    ...(hasDates && Object.keys(created).length > 0 ? { created } : {}),
  }
}

const cursorIn = ({ after, before }: Query) => {
  if (after) return { starting_after: after }
  return before ? { ending_before: before } : null
}

const withQuery = (path: string, query: Query): string => {
  const text = new URLSearchParams(query).toString()
  return text === '' ? path : `${path}?${text}`
}
