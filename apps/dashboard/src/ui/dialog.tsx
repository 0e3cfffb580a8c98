import type { ComponentChildren } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { words } from '../messages/index.ts'

type DialogProps = {
  /** The words of the button that opens it. */
  readonly opens: string
  readonly kind?: 'primary' | 'plain' | 'danger'
  readonly title: string
  readonly testId?: string
  /** Gets what closes it. */
  readonly children: (close: () => void) => ComponentChildren
}

/**
 * A button and the dialog that it opens. The browser keeps the focus in it, closes it with Escape, and gives the focus back
 * to the button. Where what the dialog did takes the button away, the focus goes to the page's heading.
 */
export const Dialog = ({ opens, kind = 'plain', title, testId, children }: DialogProps) => {
  const [isOpen, setOpen] = useState(false)
  const dialog = useRef<HTMLDialogElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const heading = useId()
  useEffect(() => {
    if (isOpen) dialog.current?.showModal()
  }, [isOpen])
  // Its end comes while the button still has the focus.
  useLayoutEffect(() => {
    const { current } = button
    return () => {
      if (document.activeElement === current) document.querySelector<HTMLElement>('main h1')?.focus()
    }
  }, [])
  // Whoever opens it again at once comes before the browser has told of its end.
  const open = () => (dialog.current === null ? setOpen(true) : dialog.current.showModal())
  const ended = () => {
    if (dialog.current?.open !== true) setOpen(false)
  }
  const close = () => dialog.current?.close()
  return (
    <>
      <button ref={button} type="button" class={kind} aria-haspopup="dialog" onClick={open} data-testid={testId}>
        {opens}
      </button>
      {isOpen && (
        <dialog ref={dialog} aria-labelledby={heading} onClose={ended}>
          <div class="section-head">
            <h2 id={heading}>{title}</h2>
            <button type="button" class="quiet-button" onClick={close} aria-label={words.value.actions.close}>
              <span aria-hidden="true">×</span>
            </button>
          </div>
          {children(close)}
        </dialog>
      )}
    </>
  )
}

/** For the end of a form in a dialog. */
export const CancelButton = ({ close }: { readonly close: () => void }) => (
  <button type="button" class="plain" onClick={close}>
    {words.value.actions.cancel}
  </button>
)
