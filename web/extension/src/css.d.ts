/** Style sheets are bundled next to the script that imports them. */
declare module "*.css";
