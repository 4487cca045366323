// Line icons on a grid of 24 by 24, drawn for this app.
const paths = {
  home: "M4 11.2 12 4.5l8 6.7V19a1 1 0 0 1-1 1h-4.5v-5.5h-5V20H5a1 1 0 0 1-1-1z",
  send: "M12 19.5v-15M5.5 11 12 4.5l6.5 6.5",
  receive: "M12 4.5v15M5.5 13l6.5 6.5 6.5-6.5",
  history: "M4.6 9.5A8 8 0 1 1 4 12.8M4.2 4.8v4.9h4.9M12 7.8V12l3 2.2",
  accounts: "M4 8.5h16v10a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1zM4 8.5l2.3-4h11.4l2.3 4M9.5 12.5h5",
  contacts: "M12 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM5 19.8c.6-3.6 3.4-5.6 7-5.6s6.4 2 7 5.6",
  coins:
    "M12 10.500c4 0 7-1.500 7-3.200S16 4 12 4 5 5.500 5 7.300s3 3.200 7 3.200zM5 7.300v9.400C5 18.500 8 20 12 20s7-1.500 7-3.300V7.300M5 12c0 1.800 3 3.300 7 3.300s7-1.500 7-3.300",
  proofs: "M12 3.8l6.8 2.500v5.200c0 4-2.7 7-6.8 8.7-4.1-1.7-6.8-4.7-6.8-8.700V6.300zM8.8 11.900l2.3 2.3 4.2-4.5",
  cold: "M12 3.5v17M4.7 7.700l14.6 8.600M19.3 7.7 4.7 16.300M9.5 4.8 12 7.200l2.5-2.400M9.5 19.2 12 16.800l2.5 2.4",
  multisig:
    "M8.5 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM3 18.500c.4-3 2.6-4.7 5.5-4.700s5.1 1.7 5.5 4.700M15.5 5.300a3 3 0 0 1 0 5.400M17 14.200c2.2.5 3.6 2 4 4.3",
  settings:
    "M4 7.500h9M17 7.500h3M4 16.500h3M11 16.500h9M15 9.700a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.400zM9 18.700a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.400z",
  play: "M4.5 8 12 4l7.5 4-7.5 4zM4.5 8v8l7.5 4 7.5-4V8M12 12v8",
  more: "M5.5 12h.01M12 12h.01M18.5 12h.01",
  lock: "M6.5 10.500h11a1 1 0 0 1 1 1V19a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1v-7.500a1 1 0 0 1 1-1zM8.5 10.500V7.800a3.5 3.5 0 0 1 7 0v2.7",
  copy: "M9 9h10v10.500H9zM15 9V4.500H5V15h4",
  paste: "M9 5.500H6.500V20h11V5.500H15M9 4h6v3.500H9zM12 11v5.500M9.5 14l2.5 2.500 2.5-2.500",
  share: "M12 14.500v-11M8 7l4-4 4 4M8 10.500H5.500V20h13v-9.500H16",
  check: "M5 12.500l4.5 4.500L19 7.5",
  cross: "M6 6l12 12M18 6 6 18",
  link: "M10 14.500l4.500-4.500M8.5 11 6 13.500a3.2 3.200 0 0 0 4.500 4.500L13 15.500M11 8.500 13.500 6a3.200 3.200 0 0 1 4.500 4.500L15.5 13",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  back: "M19 12H5M11 6l-6 6 6 6",
  right: "M9.5 5.5 16 12l-6.5 6.5",
  down: "M5.5 9.5 12 16l6.5-6.5",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 14.800a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.600z",
  hidden:
    "M4 4l16 16M9.9 5.800A9.5 9.5 0 0 1 12 5.500c6 0 9.5 6.5 9.5 6.500a16 16 0 0 1-2.6 3.300M6.3 7.600A16 16 0 0 0 2.5 12S6 18.5 12 18.500c1.5 0 2.9-.4 4.1-1",
  scan: "M4.5 9V5.500a1 1 0 0 1 1-1H9M15 4.500h3.500a1 1 0 0 1 1 1V9M19.5 15v3.500a1 1 0 0 1-1 1H15M9 19.500H5.500a1 1 0 0 1-1-1V15M4.5 12h15",
  search: "M10.8 17.100a6.3 6.3 0 1 0 0-12.6 6.3 6.3 0 0 0 0 12.600zM15.4 15.400l4.6 4.6",
  file: "M6.5 3.500h7.500l4 4v13H6.500zM14 3.500v4h4",
  qr: "M4.5 4.500h6v6h-6zM13.5 4.500h6v6h-6zM4.5 13.500h6v6h-6zM13.5 13.500h2.500v2.500h-2.500zM17.5 17.500h2v2h-2z",
  edit: "M5 19l.8-3.800L16 5l3 3L8.8 18.200zM14 7l3 3",
  trash: "M5 7h14M9.5 7V4.500h5V7M7 7l.8 12.500h8.400L17 7M10.2 10.500v5.500M13.8 10.500v5.5",
  info: "M12 20.500a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM12 11v5.500M12 7.600v.01",
  warn: "M12 4 3 19.500h18zM12 10v4.500M12 17v.01",
  key: "M14.8 13.200a4.7 4.7 0 1 0-4-4L4 16v4h4v-2.500h2.500V15zM15.8 8.200v.01",
  node: "M5 5h14v5.500H5zM5 13.500h14V19H5zM8 7.800v.01M8 16.300v.01",
  sun: "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.400M18.4 5.6 17 7M7 17l-1.4 1.4",
  clock: "M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16zM12 7.500V12l3 2",
  mine: "M4 20 13 11M7.5 5.200c4.7-1.8 10 .2 11.3 1.500S22 13.3 20.3 18c-.7-4-2.3-7-4.3-9s-4.8-3.3-8.5-3.800z",
  expand: "M13.5 4.500h6v6M19.5 4.500l-7 7M10.5 19.500h-6v-6M4.5 19.500l7-7",
} as const;

export type IconName = keyof typeof paths;

/** A decorative icon: the text next to it has the meaning. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width={name === "more" ? 3 : 1.75}
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
      focusable="false"
      class={name === "back" || name === "right" ? "turns" : undefined}
    >
      <path d={paths[name]} />
    </svg>
  );
}

/** The logo: a g like a lamp, its light next to it. */
export function Mark({ size = 32 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="9" fill="#0f4a3f" />
      <path
        d="M24.2 13.2A8.9 8.9 0 1 0 24.9 16H16.6"
        fill="none"
        stroke="#f4f4f0"
        stroke-width="2.9"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
      <circle cx="24" cy="8.2" r="2.5" fill="#f2a33a" />
    </svg>
  );
}

export function Brand() {
  return (
    <span class="brand">
      <Mark />
      glim
    </span>
  );
}
