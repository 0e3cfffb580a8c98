import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { failureOf, type PageFailure } from '../service/failure.ts'
import { Failure } from './states.tsx'

/** Something that the reader starts: whether it is under way, and what has come of it. */
export const useAction = <Input extends ReadonlyArray<unknown>>(work: (...input: Input) => Promise<unknown>) => {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<PageFailure | null>(null)
  const run = async (...input: Input): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    setFailure(null)
    try {
      await work(...input)
    } catch (error) {
      setFailure(failureOf(error))
    } finally {
      setBusy(false)
    }
  }
  return { run, isBusy, failure }
}

type ButtonProps = {
  readonly children: ComponentChildren
  readonly does: () => Promise<unknown>
  readonly kind?: 'primary' | 'plain' | 'danger'
  readonly testId?: string
}

/** A button that does something at once, and says why when it fails. While it is busy it keeps the focus. */
export const ActionButton = ({ children, does, kind = 'plain', testId }: ButtonProps) => {
  const { run, isBusy, failure } = useAction(does)
  return (
    <>
      <button type="button" class={kind} aria-disabled={isBusy} onClick={() => run()} data-testid={testId}>
        {children}
      </button>
      {failure && <Failure failure={failure} />}
    </>
  )
}

type FormProps = {
  readonly submit: string
  readonly does: (fields: FormData) => Promise<unknown>
  readonly children: ComponentChildren
  readonly cancel?: ComponentChildren
  readonly kind?: 'primary' | 'danger'
  readonly testId?: string
}

/** A form that stays open, with its fields as they are, when it is refused. */
export const ActionForm = ({ submit, does, children, cancel, kind = 'primary', testId }: FormProps) => {
  const { run, isBusy, failure } = useAction(does)
  return (
    <form
      class="form"
      data-testid={testId}
      onSubmit={(event) => {
        event.preventDefault()
        run(new FormData(event.currentTarget))
      }}
    >
      {children}
      {failure && <Failure failure={failure} />}
      <div class="actions">
        <button type="submit" class={kind} aria-disabled={isBusy}>
          {submit}
        </button>
        {cancel}
      </div>
    </form>
  )
}

/** The text of a field; undefined where it is empty. */
export const textIn = (fields: FormData, name: string): string | undefined => {
  const value = fields.get(name)
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

/** The text of a field that the form demands. */
export const demandedIn = (fields: FormData, name: string): string => textIn(fields, name) ?? ''

/** A price as people write it, with a comma or a point. */
export const priceIn = (fields: FormData): number => Number(demandedIn(fields, 'price').replace(',', '.'))
