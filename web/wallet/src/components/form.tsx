import { createContext, type FormHTMLAttributes } from "preact";
import { useContext } from "preact/hooks";

const Fixed = createContext(false);

/** Returns whether the form around a field is busy, so that the field must not change. */
export const useFixed = (): boolean => useContext(Fixed);

/**
 * A form whose fields cannot be changed while it is busy, so that what is done with them is done with what they show.
 * Text fields keep the focus.
 */
export function Form({ busy, children, ...rest }: FormHTMLAttributes<HTMLFormElement> & { busy: boolean }) {
  return (
    <Fixed.Provider value={busy}>
      <form {...rest}>{children}</form>
    </Fixed.Provider>
  );
}
